import { minuteOf } from '../calendar/period.ts'
import type { DeadLetterLine } from '../consumer/dead-letter.ts'
import { listDeadLetters } from '../consumer/sql/list-dead-letters.ts'
import { alignedText } from './aligned-text.ts'
import { readDeadLetterFilter } from './dead-letter-filter.ts'
import type { EntryOptions } from './entry.ts'
import { clippedText, escapedText } from './escaped-text.ts'
import { groupOf } from './group-of.ts'
import { openCommandLog } from './open-command-log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { printJson, printMessage, printText } from './print.ts'
import { readConfiguration } from './read-configuration.ts'
import { readCount } from './read-count.ts'

const LISTED = 100
const MOST_LISTED = 100_000
const SHOWN_ERROR = 120

/** Lists dead letters in the order of the log; those of every group, where none is configured. */
export async function showDeadLetters(options: EntryOptions): Promise<number> {
  const loaded = readConfiguration(options, [])
  const limit = readCount('--limit', options.given.limit, LISTED, MOST_LISTED)
  const filter = {
    ...readDeadLetterFilter([], options.given, Date.now()),
    group: groupOf(loaded),
    settled: options.all,
  }
  const { configuration } = loaded
  await using database = await openMigratedDatabase(
    configuration.database,
    openCommandLog(configuration.log.level),
  )
  const found = await listDeadLetters(database, filter, null, limit + 1)
  const letters = found.slice(0, limit)
  if (options.json) printJson({ deadLetters: letters, isComplete: found.length <= limit })
  else printText(letters.length === 0 ? 'none' : alignedText(linesOf(letters)))
  if (found.length > limit) printMessage(`there are more than these ${limit}: see --limit`)
  return 0
}

function linesOf(letters: readonly DeadLetterLine[]): string[][] {
  return [
    ['id', 'group', 'record', 'event id', 'reason', 'set aside', 'settled', 'error'],
    ...letters.map((letter) => [
      letter.id,
      escapedText(letter.group),
      `${escapedText(letter.topic)}[${letter.partition}]@${letter.offset}`,
      letter.eventId === null ? '-' : escapedText(letter.eventId),
      letter.reason,
      minuteOf(letter.failedAtMs),
      letter.replayOutcome ?? 'waits',
      clippedText(escapedText(letter.error), SHOWN_ERROR),
    ]),
  ]
}
