import { type Day, dayOf } from '../calendar/period.ts'
import type { Queryable } from '../postgres/queryable.ts'
import { idTimeOf } from './id-time.ts'
import { type EventDeadLetter, findEventDeadLetters } from './sql/find-event-dead-letters.ts'
import { type EventMarker, findEventMarkers } from './sql/find-event-markers.ts'
import { listKnownGroups } from './sql/list-known-groups.ts'

/** All that is known of an event in one group. */
export type ExplainedEvent = {
  readonly group: string
  readonly eventId: string
  /**
   * `applied`: its effect is there. `set-aside`: it waits as a dead letter. `discarded`: somebody settled it so.
   * `refused`: it left no marker; what its dead letters say is all that is known.
   */
  readonly verdict: 'applied' | 'set-aside' | 'discarded' | 'refused'
  readonly markers: readonly EventMarker[]
  readonly deadLetters: readonly EventDeadLetter[]
}

export type Explanation = {
  readonly events: readonly ExplainedEvent[]
  /** True where there was more than the limit. */
  readonly isCut: boolean
  /** Why nothing is known; null where something is. */
  readonly unknown: string | null
}

export type ExplainQuestion = {
  readonly eventId: string
  /** Every id that begins so. */
  readonly prefix: boolean
  /** Null: in every group. */
  readonly group: string | null
  /** The days that have markers, and the last one that has none any more. */
  readonly days: readonly Day[]
  readonly fence: Day | null
  readonly limit: number
}

/** How many partitions one statement looks at, and locks. */
const DAYS_AT_ONCE = 8

/** Tells what is known of an event: where it was first seen, and what became of it. Takes no lock that lasts. */
export async function explainEvent(db: Queryable, question: ExplainQuestion): Promise<Explanation> {
  const { eventId, prefix, limit, days } = question
  const known = (await listKnownGroups(db)).filter(
    ({ group }) => question.group === null || question.group === group,
  )
  // Markers may also be of a consumer that is not daymark's own, so that only the one who asks knows its group.
  const groups = question.group === null ? known.map(({ group }) => group) : [question.group]
  // Under idScope 'topic' the topic stands before the id.
  const topics = [...new Set(known.flatMap((each) => each.topics))]
  const eventIds = [eventId, ...topics.map((topic) => `${topic}/${eventId}`)]
  const markers: EventMarker[] = []
  for (let from = 0; from < days.length && markers.length <= limit; from += DAYS_AT_ONCE) {
    const some = days.slice(from, from + DAYS_AT_ONCE)
    markers.push(...(await findEventMarkers(db, { groups, eventIds, prefix, days: some, limit: limit + 1 })))
  }
  const deadLetters = await findEventDeadLetters(db, groups, eventIds, prefix, limit + 1)
  const events = eventsOf(markers, deadLetters)
  return {
    events: events.slice(0, limit),
    isCut: Math.max(events.length, markers.length, deadLetters.length) > limit,
    unknown: events.length > 0 ? null : whyUnknown(question),
  }
}

function eventsOf(
  markers: readonly EventMarker[],
  deadLetters: readonly EventDeadLetter[],
): ExplainedEvent[] {
  const keyOf = ({ group, eventId }: { group: string; eventId: string | null }): string =>
    JSON.stringify([group, eventId])
  const markersByKey = Map.groupBy(markers, keyOf)
  const lettersByKey = Map.groupBy(deadLetters, keyOf)
  return [...new Set([...markersByKey.keys(), ...lettersByKey.keys()])].map((key) => {
    const own = (markersByKey.get(key) ?? []).toSorted(inOrder)
    const letters = lettersByKey.get(key) ?? []
    const [group, eventId] = JSON.parse(key) as [string, string]
    return { group, eventId, verdict: verdictOf(own, letters), markers: own, deadLetters: letters }
  })
}

/** The first delivery first; of two markers that one transaction set, the one of the event's own day. */
function inOrder(a: EventMarker, b: EventMarker): number {
  return a.processedAtMs - b.processedAtMs || Number(a.overlap) - Number(b.overlap)
}

/** A marker says applied, except where it is kept for an event that was set aside. */
function verdictOf(
  markers: readonly EventMarker[],
  letters: readonly EventDeadLetter[],
): ExplainedEvent['verdict'] {
  const keeping = letters.filter(
    ({ markerDay, replayOutcome }) =>
      markerDay !== null && (replayOutcome === null || replayOutcome === 'discarded'),
  )
  const applied = markers.some(
    (marker) => !marker.overlap && !keeping.some((letter) => letter.markerDay === marker.markerDay),
  )
  if (applied || letters.some(({ replayOutcome }) => replayOutcome === 'processed')) return 'applied'
  if (letters.some(({ replayOutcome }) => replayOutcome === null))
    return keeping.length > 0 ? 'set-aside' : 'refused'
  return letters.some(({ replayOutcome }) => replayOutcome === 'discarded') ? 'discarded' : 'applied'
}

function whyUnknown({ eventId, prefix, days, fence }: ExplainQuestion): string {
  const idTime = prefix ? null : idTimeOf(eventId)
  const idDay = idTime === null ? null : dayOf(idTime)
  if (fence !== null && idDay !== null && idDay <= fence) {
    return `its id is of ${idDay}, and markers through ${fence} were dropped: whether it was applied is no longer known`
  }
  const looked = days.length === 0 ? 'no day has markers' : `looked at ${days[0]} through ${days.at(-1)}`
  const before =
    fence === null ? '' : `; markers through ${fence} were dropped, so it may have been applied before`
  return `never seen: no marker and no dead letter has it (${looked})${before}`
}
