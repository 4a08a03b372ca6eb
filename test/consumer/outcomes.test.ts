import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { chooseCandidates } from '../../src/consumer/candidates.ts'
import type { Event } from '../../src/consumer/event.ts'
import { decideOutcomes, keysOf, type Outcomes } from '../../src/consumer/outcomes.ts'
import { eventsFrom, insertAll, type Markers, recordAlone, SOURCE, textOf, windows } from './marker-model.ts'
import { eventOf } from './samples.ts'

const window = { fence: null, lastDay: '2026-08-08' }

/** Records a batch against markers; returns what became of it, and the markers afterwards. */
function recordBatch(
  markers: Markers,
  events: readonly Event[],
  given = window as Parameters<typeof chooseCandidates>[1],
) {
  const candidates = chooseCandidates(events, given)
  const { conflicts, standing, inserted } = insertAll(markers, candidates)
  const outcomes = decideOutcomes(SOURCE, candidates, conflicts, standing)
  const after: Markers = new Map([...markers, ...inserted])
  for (const key of outcomes.toTakeBack)
    assert.ok(after.delete(textOf(key)), 'only its own markers are taken back')
  return { candidates, outcomes, after }
}

function standingOf(...events: Event[]): Markers {
  const markers: Markers = new Map()
  for (const event of events) recordAlone(markers, event, window)
  return markers
}

function offsetsOf(events: readonly { readonly record: { readonly offset: string } }[]): string[] {
  return events.map(({ record }) => record.offset)
}

describe('for any markers that stand, and any batch of copies, overlaps and other values,', () => {
  const cases = [eventsFrom(0), eventsFrom(100), windows] as const

  test('what is new is what one event at a time would have found new', () => {
    fc.assert(
      fc.property(...cases, (before, events, given) => {
        const markers = standingOf(...before)
        const used = new Set([...markers.values()].map(({ eventId }) => eventId))
        const alone: Markers = new Map(markers)
        const expected = offsetsOf(events.filter((event) => recordAlone(alone, event, given)))
        const { candidates, outcomes } = recordBatch(markers, events, given)
        // An id that stood before may have its copies folded beyond that: a copy of a duplicate is a duplicate too,
        // also where it alone would have escaped the overlap.
        const folded = new Set(
          candidates.copies
            .filter(({ event, of }) => used.has(event.eventId) && !outcomes.fresh.includes(of))
            .map(({ event }) => event.record.offset),
        )
        const found = offsetsOf(outcomes.fresh)
        const ofNewIds = (offsets: string[]): string[] =>
          offsets.filter((offset) => !used.has(events[Number(offset) - 100]?.eventId ?? ''))
        assert.deepEqual(ofNewIds(found), ofNewIds(expected))
        if (folded.size === 0) assert.deepEqual(found, expected)
      }),
      { numRuns: 5_000 },
    )
  })

  test('an id whose events are not new has stood before, or is new with another event of the batch', () => {
    fc.assert(
      fc.property(...cases, (before, events, given) => {
        const markers = standingOf(...before)
        const { outcomes } = recordBatch(markers, events, given)
        const known = new Set([
          ...[...markers.values()].map(({ eventId }) => eventId),
          ...outcomes.fresh.map(({ eventId }) => eventId),
        ])
        const { redelivered, republished, reused } = outcomes
        for (const { eventId } of [...redelivered, ...republished, ...reused])
          assert.ok(known.has(eventId ?? ''))
      }),
      { numRuns: 2_000 },
    )
  })

  test('the markers afterwards are those before, and all of the new events, and no other', () => {
    fc.assert(
      fc.property(...cases, (before, events, given) => {
        const markers = standingOf(...before)
        const { candidates, outcomes, after } = recordBatch(markers, events, given)
        const fresh = candidates.toMark.filter(({ event }) => outcomes.fresh.includes(event))
        const expected = [...markers.keys(), ...fresh.flatMap(keysOf).map(textOf)]
        assert.deepEqual([...after.keys()].sort(), expected.sort())
      }),
      { numRuns: 2_000 },
    )
  })

  test('recorded again, it changes nothing', () => {
    fc.assert(
      fc.property(...cases, (before, events, given) => {
        const first = recordBatch(standingOf(...before), events, given)
        const second = recordBatch(first.after, events, given)
        assert.deepEqual(second.outcomes.fresh, [])
        assert.deepEqual([...second.after.keys()].sort(), [...first.after.keys()].sort())
      }),
      { numRuns: 2_000 },
    )
  })

  test('every event has exactly one outcome', () => {
    fc.assert(
      fc.property(...cases, (before, events, given) => {
        const { candidates, outcomes } = recordBatch(standingOf(...before), events, given)
        const { fresh, redelivered, republished, reused } = outcomes
        const all = [...fresh, ...redelivered, ...republished, ...reused, ...candidates.closed]
        assert.deepEqual(offsetsOf(all).sort(), offsetsOf(events).sort())
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a duplicate is', () => {
  const kindOf = ({ outcomes }: { outcomes: Outcomes }): string =>
    Object.entries(outcomes)
      .flatMap(([name, events]) => events.map(() => name))
      .join(' ')

  test('a redelivery where it is the very record that was marked', () => {
    const event = eventOf({ offset: '5' })
    assert.equal(kindOf(recordBatch(standingOf(event), [event])), 'redelivered')
  })

  test('a republication where it is another record with the same value', () => {
    assert.equal(
      kindOf(recordBatch(standingOf(eventOf({ offset: '5' })), [eventOf({ offset: '6' })])),
      'republished',
    )
  })

  test('a republication where the same offset belongs to another partition or topic', () => {
    const event = eventOf({ offset: '5' })
    const candidates = chooseCandidates([event], window)
    const { conflicts, standing } = insertAll(standingOf(event), candidates)
    for (const source of [
      { topic: 'payments', partition: 1 },
      { topic: 'refunds', partition: 0 },
    ]) {
      assert.equal(decideOutcomes(source, candidates, conflicts, standing).republished.length, 1)
    }
  })

  test('a reuse of the id where its value differs, also from or to a tombstone', () => {
    for (const [first, second] of [
      [1, 2],
      [null, 1],
      [1, null],
      [0, null],
    ] as const) {
      const markers = standingOf(eventOf({ offset: '5', valueCrc32: first }))
      assert.equal(kindOf(recordBatch(markers, [eventOf({ offset: '6', valueCrc32: second })])), 'reused')
    }
    const tombstones = standingOf(eventOf({ offset: '5', valueCrc32: null }))
    assert.equal(kindOf(recordBatch(tombstones, [eventOf({ offset: '6', valueCrc32: null })])), 'republished')
  })

  test('judged by the first of its id, not by a copy that is a duplicate itself', () => {
    const markers = standingOf(eventOf({ offset: '5', valueCrc32: 1 }))
    const other = recordBatch(markers, [
      eventOf({ offset: '6', valueCrc32: 2 }),
      eventOf({ offset: '7', valueCrc32: 2 }),
    ])
    assert.deepEqual(offsetsOf(other.outcomes.reused), ['6', '7'])
    const mixed = recordBatch(markers, [
      eventOf({ offset: '6', valueCrc32: 2 }),
      eventOf({ offset: '7', valueCrc32: 1 }),
    ])
    assert.deepEqual(offsetsOf(mixed.outcomes.reused), ['6'])
    assert.deepEqual(offsetsOf(mixed.outcomes.republished), ['7'])
  })

  test('still a duplicate where the marker that stood in its way has gone meanwhile', () => {
    const candidates = chooseCandidates([eventOf({})], window)
    const { conflicts } = insertAll(standingOf(eventOf({})), candidates)
    assert.equal(decideOutcomes(SOURCE, candidates, conflicts, []).republished.length, 1)
  })
})

test('an event that met one of its two markers takes the other one back', () => {
  const markers = standingOf(eventOf({ offset: '1', markerDay: '2026-08-02' }))
  const late = eventOf({ offset: '2', markerDay: '2026-08-01', overlapDay: '2026-08-02' })
  const { outcomes } = recordBatch(markers, [late])
  assert.deepEqual(outcomes.toTakeBack, [{ eventId: 'evt-42', markerDay: '2026-08-01' }])
  assert.deepEqual(outcomes.fresh, [])
})

test('a reuse is told with the place and the day of the first, and without a marker of its own', () => {
  const markers = standingOf(eventOf({ offset: '5', valueCrc32: 1 }))
  const [reused] = recordBatch(markers, [eventOf({ offset: '6', valueCrc32: 2 })]).outcomes.reused
  assert.match(reused?.error ?? '', /payments\[0\]@5 of 2026-08-01/)
  assert.deepEqual([reused?.markerDay, reused?.overlapDay, reused?.reason], [null, null, 'id-reused'])
})
