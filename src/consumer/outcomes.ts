import type { Day } from '../calendar/period.ts'
import type { TopicPartition } from '../kafka/kafka-record.ts'
import type { Candidate, Candidates } from './candidates.ts'
import type { DeadEvent, Event } from './event.ts'

/** A marker by its key within a group. */
export type MarkerKey = { readonly eventId: string; readonly markerDay: Day }

/** A marker that was there first. */
export type StandingMarker = MarkerKey &
  TopicPartition & { readonly offset: string; readonly valueCrc32: number | null }

/** What became of the candidates of a batch. */
export type Outcomes = {
  /** Events never seen before, in the order of the log: these take effect. */
  readonly fresh: readonly Event[]
  /** Copies of the same record, delivered again. */
  readonly redelivered: readonly Event[]
  /** Copies published again: another record with the same id and value. */
  readonly republished: readonly Event[]
  /** Other events that carry an id which was used before. */
  readonly reused: readonly DeadEvent[]
  /** Markers that a duplicate did insert in its second day, to be taken back. */
  readonly toTakeBack: readonly MarkerKey[]
}

/**
 * An event is new when all its markers came back from the insert. `conflicts` are the keys that did not,
 * `standing` the rows that were there instead.
 */
export function decideOutcomes(
  source: TopicPartition,
  candidates: Candidates,
  conflicts: readonly MarkerKey[],
  standing: readonly StandingMarker[],
): Outcomes {
  const outcomes = {
    fresh: [] as Event[],
    redelivered: [] as Event[],
    republished: [] as Event[],
    reused: [] as DeadEvent[],
    toTakeBack: [] as MarkerKey[],
  }
  const conflicting = new Set(conflicts.map(textOf))
  const standingByKey = new Map(standing.map((marker) => [textOf(marker), marker]))
  const firstOf = new Map<Event, StandingMarker | undefined>()
  for (const candidate of candidates.toMark) {
    const keys = keysOf(candidate)
    const refused = conflicting.size === 0 ? [] : keys.filter((key) => conflicting.has(textOf(key)))
    if (refused.length === 0) {
      outcomes.fresh.push(candidate.event)
      continue
    }
    outcomes.toTakeBack.push(...keys.filter((key) => !refused.includes(key)))
    const first = refused.map((key) => standingByKey.get(textOf(key))).find((marker) => marker !== undefined)
    firstOf.set(candidate.event, first)
    placeDuplicate(outcomes, source, candidate.event, first)
  }
  for (const { event, of } of candidates.copies) {
    // A copy of what is itself a copy has the same first: the marker that stands, not the other copy.
    placeDuplicate(outcomes, source, event, firstOf.has(of) ? firstOf.get(of) : markerOf(source, of))
  }
  return outcomes
}

function placeDuplicate(
  outcomes: { redelivered: Event[]; republished: Event[]; reused: DeadEvent[] },
  source: TopicPartition,
  event: Event,
  first: StandingMarker | undefined,
): void {
  if (first === undefined) outcomes.republished.push(event)
  else if (first.valueCrc32 !== event.valueCrc32) outcomes.reused.push(reusedEvent(event, first))
  else if (isSameRecord(source, event, first)) outcomes.redelivered.push(event)
  else outcomes.republished.push(event)
}

/** The marker that a new event of this batch has just become. */
function markerOf({ topic, partition }: TopicPartition, event: Event): StandingMarker {
  const { eventId, markerDay, valueCrc32, record } = event
  return { topic, partition, eventId, markerDay, valueCrc32, offset: record.offset }
}

function isSameRecord(source: TopicPartition, event: Event, first: StandingMarker): boolean {
  return (
    first.topic === source.topic &&
    first.partition === source.partition &&
    first.offset === event.record.offset
  )
}

function reusedEvent(event: Event, first: StandingMarker): DeadEvent {
  return {
    record: event.record,
    eventId: event.eventId,
    markerDay: null,
    overlapDay: null,
    refusedDay: null,
    reason: 'id-reused',
    error:
      `its id was used before for another value, by ${first.topic}[${first.partition}]@${first.offset} ` +
      `of ${first.markerDay}; an id must be unique per event`,
    sqlstate: null,
  }
}

/** The keys of a candidate's markers. */
export function keysOf({ event, secondDay }: Candidate): MarkerKey[] {
  const own = { eventId: event.eventId, markerDay: event.markerDay }
  return secondDay === null ? [own] : [own, { eventId: event.eventId, markerDay: secondDay }]
}

/** A day has a fixed width and stands first, so no two keys read alike. */
function textOf({ eventId, markerDay }: MarkerKey): string {
  return `${markerDay} ${eventId}`
}
