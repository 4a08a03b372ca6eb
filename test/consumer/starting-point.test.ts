import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Standing, type Start, startingPoint } from '../../src/consumer/starting-point.ts'

/** Beyond 2^53, where JavaScript's numbers leave some out, so that every case is also one of large offsets. */
const BASE = 9_007_199_254_740_993n

type Given = {
  readonly progress?: number
  readonly floor?: number
  readonly committed?: number
  readonly low: number
  readonly high: number
  readonly startFrom?: Standing['startFrom']
}

function startOf(given: Given, base = 0n): { offset: number; progress: number | null; lost: number } {
  const at = (offset: number): string => (base + BigInt(offset)).toString()
  const { progress, floor, committed, low, high, startFrom = 'earliest' } = given
  const start: Start = startingPoint({
    progress:
      progress === undefined
        ? null
        : { nextOffset: at(progress), floor: floor === undefined ? null : at(floor) },
    committed: committed === undefined ? null : at(committed),
    low: at(low),
    high: at(high),
    startFrom,
  })
  const from = (offset: string): number => Number(BigInt(offset) - base)
  return {
    ...start,
    offset: from(start.offset),
    progress: start.progress === null ? null : from(start.progress),
  }
}

const cases: Record<string, [Given, { offset: number; progress: number | null; lost: number }]> = {
  'both known and equal: there': [
    { progress: 50, committed: 50, low: 0, high: 100 },
    { offset: 50, progress: null, lost: 0 },
  ],
  'a crash between the two commits: the committed offset is behind, and is read again from there': [
    { progress: 60, committed: 50, low: 0, high: 100 },
    { offset: 50, progress: null, lost: 0 },
  ],
  'a rewind by hand to the earliest is obeyed': [
    { progress: 60, committed: 0, low: 0, high: 100 },
    { offset: 0, progress: null, lost: 0 },
  ],
  'a database that forgot commits: its progress is behind, and is read again from there': [
    { progress: 30, committed: 50, low: 0, high: 100 },
    { offset: 30, progress: null, lost: 0 },
  ],
  'a forward jump at the broker is not obeyed': [
    { progress: 30, committed: 100, low: 0, high: 100 },
    { offset: 30, progress: null, lost: 0 },
  ],
  'a committed offset that lies below the low mark, all of it read before: from the low mark, nothing lost': [
    { progress: 60, committed: 10, low: 40, high: 100 },
    { offset: 40, progress: null, lost: 0 },
  ],
  'records deleted before they were read are lost, exactly that many': [
    { progress: 10, committed: 10, low: 50, high: 100 },
    { offset: 50, progress: 50, lost: 40 },
  ],
  'records deleted, and the committed offset further than the database: counted from the database': [
    { progress: 10, committed: 70, low: 50, high: 100 },
    { offset: 50, progress: 50, lost: 40 },
  ],
  'the committed offset expired: the low mark, and progress is reset to it': [
    { progress: 60, low: 20, high: 100 },
    { offset: 20, progress: 20, lost: 0 },
  ],
  'the committed offset expired, and records are lost': [
    { progress: 10, low: 20, high: 100 },
    { offset: 20, progress: 20, lost: 10 },
  ],
  'the topic was made anew: everything of it': [
    { progress: 500, low: 0, high: 7 },
    { offset: 0, progress: 0, lost: 0 },
  ],
  'progress beyond the end under a committed offset too: everything there is': [
    { progress: 500, committed: 500, low: 3, high: 7 },
    { offset: 3, progress: 3, lost: 0 },
  ],
  'progress beyond the end, and the committed offset not: from the committed offset': [
    { progress: 500, committed: 5, low: 3, high: 7 },
    { offset: 5, progress: 5, lost: 0 },
  ],
  'the group existed before daymark: where it had committed': [
    { committed: 50, low: 0, high: 100 },
    { offset: 50, progress: 50, lost: 0 },
  ],
  'the group existed before daymark, and had fallen behind retention': [
    { committed: 50, low: 80, high: 100 },
    { offset: 80, progress: 80, lost: 30 },
  ],
  'the group existed before daymark, with an offset beyond the end': [
    { committed: 500, low: 3, high: 100 },
    { offset: 3, progress: 3, lost: 0 },
  ],
  'a new group: the earliest record, and nothing before it is lost': [
    { low: 20, high: 100 },
    { offset: 20, progress: 20, lost: 0 },
  ],
  'a new group that starts from the latest: the end': [
    { low: 20, high: 100, startFrom: 'latest' },
    { offset: 100, progress: 100, lost: 0 },
  ],
  'an empty topic partition': [
    { low: 20, high: 20 },
    { offset: 20, progress: 20, lost: 0 },
  ],
  'a floor ahead of both: there, and progress with it': [
    { progress: 30, floor: 80, committed: 30, low: 0, high: 100 },
    { offset: 80, progress: 80, lost: 0 },
  ],
  'a floor behind progress changes nothing': [
    { progress: 90, floor: 80, committed: 90, low: 0, high: 100 },
    { offset: 90, progress: null, lost: 0 },
  ],
  'a rewind by hand stops at the floor': [
    { progress: 90, floor: 80, committed: 10, low: 0, high: 100 },
    { offset: 80, progress: null, lost: 0 },
  ],
  'what was deleted below the floor was skipped on purpose, and is not lost': [
    { progress: 30, floor: 80, committed: 30, low: 60, high: 100 },
    { offset: 80, progress: 80, lost: 0 },
  ],
  'what was deleted above the floor is lost': [
    { progress: 30, floor: 40, committed: 30, low: 60, high: 100 },
    { offset: 60, progress: 60, lost: 20 },
  ],
  'a floor beyond the end is one of a topic that has been made anew': [
    { progress: 500, floor: 400, low: 0, high: 7 },
    { offset: 0, progress: 0, lost: 0 },
  ],
  'a floor at the very end is obeyed': [
    { progress: 30, floor: 100, committed: 30, low: 0, high: 100 },
    { offset: 100, progress: 100, lost: 0 },
  ],
}

for (const [base, place] of [
  [0n, 'small offsets'],
  [BASE, 'offsets beyond 2^53'],
] as const) {
  describe(`reading starts, at ${place}, with`, () => {
    for (const [name, [given, expected]] of Object.entries(cases)) {
      test(name, () => assert.deepEqual(startOf(given, base), expected))
    }
  })
}

const standings = fc
  .record({
    progress: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
    floor: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
    committed: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
    low: fc.integer({ min: 0, max: 30 }),
    size: fc.integer({ min: 0, max: 20 }),
    startFrom: fc.constantFrom('earliest' as const, 'latest' as const),
  })
  .map(({ size, progress, floor, committed, ...given }) => ({
    ...given,
    high: given.low + size,
    ...(progress === undefined ? {} : { progress }),
    ...(floor === undefined || progress === undefined ? {} : { floor }),
    ...(committed === undefined ? {} : { committed }),
  }))

test('reading always starts at a place that the broker holds', () => {
  fc.assert(
    fc.property(standings, (given) => {
      const { offset } = startOf(given)
      assert.ok(offset >= given.low && offset <= given.high)
    }),
    { numRuns: 2_000 },
  )
})

test('nothing that the database has not recorded is passed over, unless it is lost or lies below the floor', () => {
  fc.assert(
    fc.property(standings, (given) => {
      if (given.progress === undefined || given.progress > given.high) return
      const { offset, lost } = startOf(given)
      const floor = given.floor === undefined || given.floor > given.high ? 0 : given.floor
      assert.ok(offset <= Math.max(given.progress, floor) + lost, JSON.stringify(given))
    }),
    { numRuns: 5_000 },
  )
})

test('the row, once it is as it should be, gives the same place again', () => {
  fc.assert(
    fc.property(standings, (given) => {
      const first = startOf(given)
      const { floor, ...rest } = given
      // Where progress is set below a floor, the statement that sets it takes the floor away.
      const kept =
        floor !== undefined && (first.progress === null || floor <= first.progress) ? { floor } : {}
      const next = {
        ...rest,
        ...kept,
        progress: first.progress ?? given.progress ?? 0,
        committed: first.offset,
      }
      const second = startOf(next)
      assert.equal(second.offset, first.offset)
      assert.equal(second.progress, null)
      assert.equal(second.lost, 0)
    }),
    { numRuns: 5_000 },
  )
})
