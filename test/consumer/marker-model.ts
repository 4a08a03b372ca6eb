import fc from 'fast-check'
import type { Candidates } from '../../src/consumer/candidates.ts'
import type { Event } from '../../src/consumer/event.ts'
import { keysOf, type MarkerKey, type StandingMarker } from '../../src/consumer/outcomes.ts'
import { placeOf, type Window } from '../../src/consumer/window.ts'
import { eventOf } from './samples.ts'

export const SOURCE = { topic: 'payments', partition: 0 } as const

const DAYS = ['2026-08-01', '2026-08-02', '2026-08-03', '2026-08-04'] as const

/** Markers by key, as one reader without batches would have them. */
export type Markers = Map<string, StandingMarker>

export function textOf({ eventId, markerDay }: MarkerKey): string {
  return `${eventId} ${markerDay}`
}

/** Records one event against the markers, as if it were alone in its batch; true where it is new. */
export function recordAlone(markers: Markers, event: Event, window: Window): boolean {
  if (placeOf(event.markerDay, window) !== 'open') return false
  const isSecondOpen = event.overlapDay !== null && placeOf(event.overlapDay, window) === 'open'
  const keys = keysOf({ event, secondDay: isSecondOpen ? event.overlapDay : null })
  if (keys.some((key) => markers.has(textOf(key)))) return false
  for (const key of keys) markers.set(textOf(key), markerFor(key, event))
  return true
}

/** What the insert of all candidates of a batch answers: the keys that were there, and what stands under them. */
export function insertAll(
  markers: Markers,
  { toMark }: Candidates,
): { conflicts: MarkerKey[]; standing: StandingMarker[]; inserted: Markers } {
  const keys = toMark.flatMap((candidate) =>
    keysOf(candidate).map((key) => ({ key, event: candidate.event })),
  )
  const conflicts = keys.filter(({ key }) => markers.has(textOf(key))).map(({ key }) => key)
  const standing = conflicts.flatMap((key) => markers.get(textOf(key)) ?? [])
  const free = keys.filter(({ key }) => !markers.has(textOf(key)))
  return {
    conflicts,
    standing,
    inserted: new Map(free.map(({ key, event }) => [textOf(key), markerFor(key, event)])),
  }
}

function markerFor(key: MarkerKey, { record, valueCrc32 }: Event): StandingMarker {
  return { ...SOURCE, ...key, offset: record.offset, valueCrc32 }
}

/** Events of few ids around a few midnights, so that copies, overlaps and other values meet all the time. */
export function eventsFrom(firstOffset: number, maxLength = 12): fc.Arbitrary<Event[]> {
  const event = fc.record({
    eventId: fc.constantFrom('a', 'b', 'c'),
    day: fc.integer({ min: 0, max: DAYS.length - 1 }),
    neighbour: fc.constantFrom(-1, 0, 0, 1),
    valueCrc32: fc.constantFrom(1, 1, 1, 2, null),
  })
  return fc.array(event, { maxLength }).map((drafts) =>
    drafts.map(({ eventId, day, neighbour, valueCrc32 }, index) =>
      eventOf({
        eventId,
        markerDay: DAYS[day] ?? DAYS[0],
        overlapDay: neighbour === 0 ? null : (DAYS[day + neighbour] ?? null),
        valueCrc32,
        offset: String(firstOffset + index),
      }),
    ),
  )
}

/** Windows that leave all these days open, or close the first, or the last. */
export const windows: fc.Arbitrary<Window> = fc.record({
  fence: fc.constantFrom(null, '2026-07-01', '2026-08-01'),
  lastDay: fc.constantFrom('2026-08-08', '2026-08-03'),
})
