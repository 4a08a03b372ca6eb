import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, type Day, daysThrough, endOfDay, startOfDay } from '../../src/calendar/period.ts'
import { plan } from '../../src/maintenance/plan.ts'
import type { Step } from '../../src/maintenance/step.ts'
import { DAY_MS, givenRetention, partitionOf, topicOf, viewOf } from './table-view-of.ts'

const EPOCH = '2026-11-30'
const NOON_MS = startOfDay(EPOCH) + DAY_MS / 2

const anyDays = fc
  .record({ back: fc.integer({ min: 0, max: 60 }), ahead: fc.integer({ min: 0, max: 20 }) })
  .map(({ back, ahead }) => daysThrough(addDays(EPOCH, -back), addDays(EPOCH, ahead)))
  .chain((days) => fc.subarray(days))
const anyInstant = fc.integer({ min: startOfDay(EPOCH), max: endOfDay(EPOCH) - 1 })
const anyRetention = fc.integer({ min: 1, max: 40 * DAY_MS })

function removed(steps: readonly Step[]): Day[] {
  return steps.filter((step) => step.kind === 'remove-day').map(({ fromDay }) => fromDay)
}

test('no day is planned for removal while a row in it could be younger than the retention', () => {
  fc.assert(
    fc.property(anyInstant, anyRetention, anyDays, (nowMs, ms, days) => {
      const { steps } = plan(givenRetention(ms), viewOf(nowMs, days), [])
      for (const day of removed(steps)) assert.ok(endOfDay(day) + ms <= nowMs)
    }),
  )
})

test('a day goes at the very millisecond at which its retention is over, and not one before', () => {
  const day = addDays(EPOCH, -10)
  const ms = 8 * DAY_MS
  const at = (nowMs: number): Day[] => removed(plan(givenRetention(ms), viewOf(nowMs, [day]), []).steps)
  assert.deepEqual(at(endOfDay(day) + ms - 1), [])
  assert.deepEqual(at(endOfDay(day) + ms), [day])
})

test('five minutes after midnight a retention of one day keeps all of yesterday', () => {
  const yesterday = addDays(EPOCH, -1)
  const days = [addDays(EPOCH, -2), yesterday, EPOCH]
  const { steps } = plan(givenRetention(DAY_MS), viewOf(startOfDay(EPOCH) + 300_000, days), [])
  assert.deepEqual(removed(steps), [addDays(EPOCH, -2)])
})

test('whatever the clock, the retention and the partitions, days go in order and none after one that stays', () => {
  fc.assert(
    fc.property(
      anyInstant,
      anyRetention,
      anyDays,
      fc.integer({ min: 0, max: 60 }),
      (nowMs, ms, days, held) => {
        const heldDay = addDays(EPOCH, -held)
        // The broker has passed the end of every day but those from the held one on.
        const atEnd = days.map((day): [Day, string] => [day, day < heldDay ? '5' : '6'])
        const topic = topicOf({
          low: '5',
          high: '9',
          atEnd,
          settings: { topic: 'payments', retentionMs: 1, cleanupPolicy: 'delete' },
        })
        const gone = removed(
          plan(givenRetention(Math.max(ms, 2 * DAY_MS)), viewOf(nowMs, days), [topic]).steps,
        )
        assert.deepEqual(gone, [...gone].sort())
        assert.ok(gone.every((day) => day < heldDay))
        assert.deepEqual(gone, days.slice(0, gone.length))
      },
    ),
  )
})

test('no run removes more days than it may', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), anyDays, (maxDropsPerRun, days) => {
      const { steps } = plan(givenRetention(1, { maxDropsPerRun }), viewOf(NOON_MS, days), [])
      assert.ok(removed(steps).length <= maxDropsPerRun)
    }),
  )
})

test('no day at or before the fence is ever made, and every other day of the window is', () => {
  fc.assert(
    fc.property(
      anyInstant,
      anyDays,
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 1, max: 30 }),
      (nowMs, days, back, runwayDays) => {
        const fence = addDays(EPOCH, -back)
        const { steps } = plan(
          givenRetention(DAY_MS, { runwayDays }),
          viewOf(nowMs, days, { fence }),
          [],
          ['make'],
        )
        const made = steps.filter((step) => step.kind === 'make-day').map(({ day }) => day)
        const wanted = daysThrough(addDays(fence, 1), addDays(EPOCH, runwayDays))
        assert.deepEqual(
          [...new Set([...made, ...days])].filter((day) => wanted.includes(day)).sort(),
          wanted,
        )
        assert.ok(made.every((day) => day > fence && !days.includes(day)))
      },
    ),
  )
})

test('today and the days ahead are made before the days behind', () => {
  const { steps } = plan(
    givenRetention(DAY_MS, { runwayDays: 1 }),
    viewOf(NOON_MS, [], { fence: addDays(EPOCH, -3) }),
    [],
    ['make'],
  )
  assert.deepEqual(
    steps.map(({ fromDay }) => fromDay),
    [EPOCH, addDays(EPOCH, 1), addDays(EPOCH, -2), addDays(EPOCH, -1)],
  )
})

test('a run moves the days on by one when a day has passed, also on a table without a row', () => {
  const policy = givenRetention(8 * DAY_MS)
  const days = daysThrough(EPOCH, addDays(EPOCH, 7))
  const { steps } = plan(policy, viewOf(NOON_MS + DAY_MS, days), [], ['make'])
  assert.deepEqual(
    steps.map(({ fromDay }) => fromDay),
    [addDays(EPOCH, 8)],
  )
})

test('a clock set forward by years makes no day and drops none', () => {
  const days = daysThrough(addDays(EPOCH, -8), addDays(EPOCH, 7))
  fc.assert(
    fc.property(fc.integer({ min: 410, max: 1_000_000 }), (ahead) => {
      const { steps } = plan(givenRetention(8 * DAY_MS), viewOf(NOON_MS + ahead * DAY_MS, days), [])
      assert.deepEqual([...new Set(steps.map(({ kind }) => kind))], ['refuse'])
    }),
  )
})

test('a database clock that is days ahead of ours drops nothing', () => {
  const days = daysThrough(addDays(EPOCH, -20), addDays(EPOCH, 7))
  const { steps } = plan(
    givenRetention(8 * DAY_MS),
    viewOf(NOON_MS, days, { clockLeadMs: 3 * DAY_MS }),
    [],
    ['remove'],
  )
  assert.deepEqual(
    steps.map(({ kind }) => kind),
    ['refuse'],
  )
  assert.match(steps[0]?.reason ?? '', /clock is 3 d ahead/)
})

test('a retention that is no duration, negative or infinite, drops nothing', () => {
  const days = daysThrough(addDays(EPOCH, -20), EPOCH)
  for (const ms of [0, -DAY_MS, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.deepEqual(removed(plan(givenRetention(ms), viewOf(NOON_MS, days), []).steps), [], String(ms))
  }
})

test('a partition of more than one day is never touched, and is told of when it is over', () => {
  const wide = partitionOf('2024-01-01', { name: 'wide', untilMs: startOfDay(addDays(EPOCH, 1)) })
  const old = partitionOf('2020-01-01', { name: 'old', untilMs: startOfDay('2021-01-01') })
  const view = viewOf(NOON_MS, [], { partitions: [old, wide], fence: addDays(EPOCH, -1) })
  const { steps } = plan(givenRetention(DAY_MS), view, [], ['remove'])
  assert.deepEqual(
    steps.map(({ kind, partition }) => [kind, partition]),
    [['keep-day', 'old']],
  )
})

test('a day that a foreign partition covers in part is refused, and the others are made', () => {
  const odd = partitionOf(EPOCH, { name: 'odd', fromMs: startOfDay(EPOCH) + 6 * 3_600_000 })
  const view = viewOf(NOON_MS, [], { partitions: [odd], fence: addDays(EPOCH, -2) })
  const { steps } = plan(givenRetention(DAY_MS, { runwayDays: 1 }), view, [], ['make'])
  assert.deepEqual(
    steps.map(({ kind, fromDay }) => [kind, fromDay]),
    [
      ['refuse', EPOCH],
      ['make-day', addDays(EPOCH, 1)],
      ['make-day', addDays(EPOCH, -1)],
    ],
  )
})

test('a retention that was lengthened after days were dropped is said aloud, and drops stop until it is covered', () => {
  const days = daysThrough(addDays(EPOCH, -8), EPOCH)
  const { steps, warnings } = plan(givenRetention(30 * DAY_MS), viewOf(NOON_MS, days), [])
  assert.deepEqual(removed(steps), [])
  assert.match(
    warnings.join('\n'),
    /reaches back to 2026-10-31, and days through 2026-11-21 are gone already/,
  )
})

test('two clocks that differ by 26 hours are told of, and the database’s counts', () => {
  const days = daysThrough(addDays(EPOCH, -9), addDays(EPOCH, 7))
  const { steps, warnings } = plan(
    givenRetention(8 * DAY_MS),
    viewOf(NOON_MS, days, { clockLeadMs: 26 * 3_600_000 }),
    [],
  )
  assert.deepEqual(removed(steps), [addDays(EPOCH, -9)])
  assert.match(warnings[0] ?? '', /1 d 2 h ahead/)
})

test('a reason reads as a sentence with the age, the retention and the broker’s oldest record', () => {
  const day = addDays(EPOCH, -12)
  const topic = topicOf({
    low: '7',
    high: '9',
    atEnd: [[day, '7']],
    oldest: { partition: 2, timestampMs: startOfDay('2026-11-24') + 11_460_000 },
  })
  const policy = { ...givenRetention(0), retention: { kind: 'from-topics' } } as const
  const { steps } = plan(policy, viewOf(startOfDay(EPOCH), [day]), [topic], ['remove'])
  assert.equal(
    steps[0]?.reason,
    "drop 2026-11-18: ended 11 d ago; retention 8 d from payments; broker's oldest record 2026-11-24 03:11 (payments[2])",
  )
})

test('a past day that somebody has taken away is not replaced by an empty one', () => {
  const yesterday = addDays(EPOCH, -1)
  const view = viewOf(NOON_MS, daysThrough(EPOCH, addDays(EPOCH, 7)), {
    fence: addDays(EPOCH, -2),
    madeDays: [yesterday],
  })
  const { steps } = plan(givenRetention(8 * DAY_MS), view, [], ['make'])
  assert.deepEqual(
    steps.map(({ kind, fromDay }) => [kind, fromDay]),
    [['refuse', yesterday]],
  )
  assert.match(
    steps[0]?.reason ?? '',
    /somebody has taken it away: an empty one in its place would let its events take effect again/,
  )
})
