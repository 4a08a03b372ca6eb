import { daysThrough, minuteOf } from '../calendar/period.ts'
import { type ExplainedEvent, explainEvent } from '../consumer/explain-event.ts'
import { readRunway } from '../maintenance/runway.ts'
import { alignedText } from './aligned-text.ts'
import type { EntryOptions } from './entry.ts'
import { clippedText, escapedText } from './escaped-text.ts'
import { groupOf } from './group-of.ts'
import { openCommandLog } from './open-command-log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { printJson, printMessage, printText } from './print.ts'
import { readConfiguration } from './read-configuration.ts'
import { readCount } from './read-count.ts'
import { UsageError } from './usage-error.ts'

const LISTED = 20
const MOST_LISTED = 10_000
const SHOWN_ERROR = 200
/** The longest id with its topic before it, as the table takes it. */
const LONGEST_BYTES = 505

/** Tells what became of an event; of every event whose id begins so, with --prefix. */
export async function explain(options: EntryOptions): Promise<number> {
  const loaded = readConfiguration(options, [])
  const [eventId = ''] = options.args
  if (eventId === '' || Buffer.byteLength(eventId) > LONGEST_BYTES) {
    throw new UsageError(
      `expected an event id of 1 to ${LONGEST_BYTES} bytes, got ${Buffer.byteLength(eventId)}`,
    )
  }
  const limit = readCount('--limit', options.given.limit, LISTED, MOST_LISTED)
  const { configuration } = loaded
  await using database = await openMigratedDatabase(
    configuration.database,
    openCommandLog(configuration.log.level),
  )
  const { oldestDay, latestDay, fence } = await readRunway(database)
  const days = oldestDay === null || latestDay === null ? [] : daysThrough(oldestDay, latestDay)
  const { prefix } = options
  const found = await explainEvent(database, {
    eventId,
    prefix,
    group: groupOf(loaded),
    days,
    fence,
    limit,
  })
  if (options.json) printJson(found)
  else printText(found.unknown ?? found.events.map(eventText).join('\n\n'))
  if (found.isCut) printMessage(`there is more than these ${limit}: see --limit`)
  return 0
}

const MEANING: Readonly<Record<ExplainedEvent['verdict'], string>> = {
  applied: 'applied',
  'set-aside': 'set aside: it waits as a dead letter, and has no effect yet',
  discarded: 'discarded: it was set aside, and will have no effect',
  refused: 'refused: it left no marker, and no effect by this record',
}

function eventText({ group, eventId, verdict, markers, deadLetters }: ExplainedEvent): string {
  const placeOf = (at: { topic: string; partition: number; offset: string }): string =>
    `${escapedText(at.topic)}[${at.partition}]@${at.offset}`
  const rows = [
    ...markers.map((marker, index) => [
      index === 0 ? 'first seen' : marker.overlap ? 'also marked' : 'seen again',
      placeOf(marker),
      `marked in ${marker.markerDay}${marker.overlap ? ' (second marker, near midnight)' : ''}`,
      minuteOf(marker.processedAtMs),
    ]),
    ...deadLetters.map((letter) => [
      `dead letter ${letter.id}`,
      placeOf(letter),
      `${letter.reason}, ${letter.replayOutcome ?? 'waits'}: ${clippedText(escapedText(letter.error), SHOWN_ERROR)}`,
      minuteOf(letter.failedAtMs),
    ]),
  ]
  return `${escapedText(eventId)} in the group "${escapedText(group)}": ${MEANING[verdict]}\n${alignedText(rows, '  ')}`
}
