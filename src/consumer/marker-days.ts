import { type Day, dayOf, isDay } from '../calendar/period.ts'
import type { KafkaRecord } from '../kafka/kafka-record.ts'
import type { IdentitySettings } from './consumer-settings.ts'
import { idTimeOf } from './id-time.ts'

/** The day an event belongs to, and the neighbour it is marked in too where it lies within the overlap of a midnight. */
export type MarkerDays = { readonly markerDay: Day; readonly overlapDay: Day | null }

export type MarkerDaysReading =
  | MarkerDays
  | { readonly reason: 'bad-id' | 'bad-time'; readonly refusal: string }

/**
 * The marker days of an event: a pure function of the record, so that every delivery of it, from any process, at any
 * age, gives the same. `eventId` is the id without its topic.
 */
export function readMarkerDays(
  record: KafkaRecord,
  topic: string,
  eventId: string,
  settings: IdentitySettings,
): MarkerDaysReading {
  const { markerDay } = settings
  if (typeof markerDay === 'function') return readFunction(markerDay, record, topic)
  if (markerDay === 'record-timestamp') return daysAround(Number(record.timestamp), settings.overlapMs)
  const idTime = idTimeOf(eventId)
  if (idTime === null) {
    return { reason: 'bad-id', refusal: 'the event id carries no time: expected a UUIDv7 or a ULID' }
  }
  return daysAround(idTime, settings.overlapMs)
}

/**
 * Two copies whose times lie within the overlap of each other, on either side of a midnight, both lie within the
 * overlap of that midnight: so both are marked in both days, and meet.
 */
export function daysAround(instantMs: number, overlapMs: number): MarkerDaysReading {
  const markerDay = dayOf(instantMs)
  if (markerDay === null) {
    return {
      reason: 'bad-time',
      refusal: `the time of the event, ${instantMs} ms, is outside the years 1 to 9999`,
    }
  }
  if (overlapMs === 0) return { markerDay, overlapDay: null }
  const before = dayOf(instantMs - overlapMs)
  if (before !== markerDay && before !== null) return { markerDay, overlapDay: before }
  const after = dayOf(instantMs + overlapMs)
  if (after !== markerDay && after !== null) return { markerDay, overlapDay: after }
  return { markerDay, overlapDay: null }
}

/** A day that a function gives carries no time, so nothing tells how near a midnight it is: it has no overlap. */
function readFunction(
  of: (record: KafkaRecord, topic: string) => string,
  record: KafkaRecord,
  topic: string,
): MarkerDaysReading {
  try {
    const day = of(record, topic)
    if (isDay(day)) return { markerDay: day, overlapDay: null }
    return {
      reason: 'bad-time',
      refusal: `the marker day function gave ${JSON.stringify(day)}; expected 'YYYY-MM-DD'`,
    }
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return { reason: 'bad-time', refusal: `the marker day function threw: ${found}` }
  }
}
