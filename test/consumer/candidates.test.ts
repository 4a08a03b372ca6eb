import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseCandidates } from '../../src/consumer/candidates.ts'
import { eventsFrom, type Markers, recordAlone, windows } from './marker-model.ts'
import { eventOf } from './samples.ts'

const window = { fence: '2026-07-01', lastDay: '2026-08-08' }

function offsetsOf(events: readonly { readonly record: { readonly offset: string } }[]): string[] {
  return events.map(({ record }) => record.offset)
}

test('folding a batch marks the events that a reader without batches would have taken for new', () => {
  fc.assert(
    fc.property(eventsFrom(0, 20), windows, (events, given) => {
      const alone: Markers = new Map()
      const expected = events.filter((event) => recordAlone(alone, event, given))
      const { toMark } = chooseCandidates(events, given)
      assert.deepEqual(offsetsOf(toMark.map(({ event }) => event)), offsetsOf(expected))
    }),
    { numRuns: 3_000 },
  )
})

test('every event of a batch is a candidate, a copy of an earlier one, or of a closed day', () => {
  fc.assert(
    fc.property(eventsFrom(0, 20), windows, (events, given) => {
      const { toMark, copies, closed } = chooseCandidates(events, given)
      const all = [...toMark.map(({ event }) => event), ...copies.map(({ event }) => event), ...closed]
      assert.deepEqual(offsetsOf(all).sort(), offsetsOf(events).sort())
      for (const { event, of } of copies) {
        assert.equal(event.eventId, of.eventId)
        assert.ok(Number(of.record.offset) < Number(event.record.offset))
        assert.ok(toMark.some((candidate) => candidate.event === of))
      }
    }),
    { numRuns: 1_000 },
  )
})

test('no two candidates of a batch ask for the same marker', () => {
  fc.assert(
    fc.property(eventsFrom(0, 20), windows, (events, given) => {
      const keys = chooseCandidates(events, given).toMark.flatMap(({ event, secondDay }) =>
        [event.markerDay, ...(secondDay === null ? [] : [secondDay])].map((day) => `${event.eventId} ${day}`),
      )
      assert.equal(new Set(keys).size, keys.length)
    }),
    { numRuns: 1_000 },
  )
})

test('the second day is left out where it is not open, and the first alone decides whether an event is', () => {
  const atFence = eventOf({ markerDay: '2026-07-02', overlapDay: '2026-07-01' })
  assert.deepEqual(chooseCandidates([atFence], window).toMark, [{ event: atFence, secondDay: null }])
  const atEnd = eventOf({ markerDay: '2026-08-08', overlapDay: '2026-08-09' })
  assert.deepEqual(chooseCandidates([atEnd], window).toMark, [{ event: atEnd, secondDay: null }])
  const expired = eventOf({ markerDay: '2026-07-01', overlapDay: '2026-07-02' })
  assert.deepEqual(
    chooseCandidates([expired], window).closed.map(({ reason }) => reason),
    ['expired'],
  )
  const future = eventOf({ markerDay: '2026-08-09', overlapDay: '2026-08-08' })
  assert.deepEqual(
    chooseCandidates([future], window).closed.map(({ reason }) => reason),
    ['future'],
  )
})

test('an event of a closed day folds nothing', () => {
  const expired = eventOf({ offset: '1', markerDay: '2026-07-01', overlapDay: '2026-07-02' })
  const open = eventOf({ offset: '2', markerDay: '2026-07-02', overlapDay: '2026-07-01' })
  const { toMark, copies } = chooseCandidates([expired, open], window)
  assert.deepEqual(offsetsOf(toMark.map(({ event }) => event)), ['2'])
  assert.deepEqual(copies, [])
})

test('a dead letter of a closed day has no marker, and says which day it was', () => {
  const [expired, future] = chooseCandidates(
    [eventOf({ markerDay: '2026-07-01' }), eventOf({ markerDay: '2027-01-01', overlapDay: '2026-12-31' })],
    window,
  ).closed
  assert.deepEqual([expired?.markerDay, expired?.overlapDay], [null, null])
  assert.match(expired?.error ?? '', /2026-07-01 is at or before the fence 2026-07-01/)
  assert.deepEqual([future?.markerDay, future?.overlapDay], [null, null])
  assert.match(future?.error ?? '', /2027-01-01 lies after 2026-08-08/)
})
