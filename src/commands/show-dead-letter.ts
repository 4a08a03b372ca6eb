import { minuteOf } from '../calendar/period.ts'
import type { DeadLetter } from '../consumer/dead-letter.ts'
import { findDeadLetter } from '../consumer/sql/find-dead-letter.ts'
import { alignedText } from './aligned-text.ts'
import { readDeadLetterId } from './dead-letter-filter.ts'
import type { EntryOptions } from './entry.ts'
import { clippedText, escapedBytes, escapedText } from './escaped-text.ts'
import { openCommandLog } from './open-command-log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { printJson, printText } from './print.ts'
import { readConfiguration } from './read-configuration.ts'
import { UsageError } from './usage-error.ts'

/** A value of 20 MB is no reading matter; all of it stands in the JSON. */
const SHOWN_VALUE = 10_000

/** Shows one dead letter with its whole record. */
export async function showDeadLetter(options: EntryOptions): Promise<number> {
  const { configuration } = readConfiguration(options, [])
  const id = readDeadLetterId(options.args[0] ?? '')
  await using database = await openMigratedDatabase(
    configuration.database,
    openCommandLog(configuration.log.level),
  )
  const letter = await findDeadLetter(database, id)
  if (letter === null) throw new UsageError(`looking for the dead letter ${id}: there is none`)
  if (options.json) printJson({ deadLetter: jsonOf(letter) })
  else printText(alignedText(rowsOf(letter)))
  return 0
}

function rowsOf(letter: DeadLetter): string[][] {
  const text = (value: string | null): string => (value === null ? '-' : escapedText(value))
  const bytes = (value: Buffer | null): string =>
    value === null ? 'null' : clippedText(escapedBytes(value), SHOWN_VALUE)
  return [
    ['id', letter.id],
    ['group', text(letter.group)],
    ['record', `${text(letter.topic)}[${letter.partition}]@${letter.offset}`],
    ['written', letter.recordTimestampMs === null ? 'out of range' : timeText(letter.recordTimestampMs)],
    ['event id', text(letter.eventId)],
    ['marked in', [letter.markerDay, letter.overlapDay].filter((day) => day !== null).join(', ') || '-'],
    ['reason', letter.reason],
    ['error', text(letter.error)],
    ['sqlstate', text(letter.sqlstate)],
    ['set aside', minuteOf(letter.failedAtMs)],
    ['settled', settledText(letter)],
    ['key', bytes(letter.key)],
    ...letter.headers.map(([name, value]) => [
      `header ${text(name)}`,
      bytes(value === null ? null : Buffer.from(value, 'base64')),
    ]),
    ['value', bytes(letter.value)],
  ]
}

function settledText({ replayOutcome, replayedAtMs }: DeadLetter): string {
  return replayedAtMs === null ? 'waits' : `${replayOutcome} ${minuteOf(replayedAtMs)}`
}

/** The calendar of JavaScript ends before that of PostgreSQL. */
function timeText(timestampMs: string): string {
  const time = new Date(Number(timestampMs))
  return Number.isNaN(time.getTime()) ? `${timestampMs} ms` : time.toISOString()
}

function jsonOf({ key, value, ...letter }: DeadLetter): Record<string, unknown> {
  return {
    ...letter,
    keyBase64: key?.toString('base64') ?? null,
    valueBase64: value?.toString('base64') ?? null,
  }
}
