import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, type Day, dayOf, daysBetween, daysThrough, startOfDay } from '../../src/calendar/period.ts'
import { type Plan, plan } from '../../src/maintenance/plan.ts'
import { DEFAULT_POLICY } from '../../src/maintenance/policy.ts'
import { BrokerModel } from './broker-model.ts'
import { DAY_MS, givenRetention, viewOf } from './table-view-of.ts'

const EPOCH = '2026-11-30'
const HOUR_MS = 3_600_000

/** A table as the steps of plans leave it. */
type ModelTable = { days: Day[]; fence: Day | null }

/** Carries a plan out, and calls for each day that goes, before it goes. */
function carryOut(table: ModelTable, { steps }: Plan, going: (day: Day) => void): void {
  for (const step of steps) {
    assert.notEqual(step.kind, 'refuse', step.reason)
    if (step.kind === 'write-fence') table.fence = step.day
    if (step.kind === 'make-day') table.days = [...table.days, step.day].sort()
    if (step.kind !== 'remove-day') continue
    assert.ok(table.fence === null || step.fromDay > table.fence, 'the fence never moves back')
    going(step.fromDay)
    table.fence = step.fromDay
    table.days = table.days.filter((each) => each !== step.fromDay)
  }
}

test('over 400 days there is always a runway, never an early drop and never a gap', () => {
  const policy = givenRetention(8 * DAY_MS)
  const table: ModelTable = { days: [], fence: null }
  for (let day = EPOCH; daysBetween(EPOCH, day) < 400; day = addDays(day, 1)) {
    const nowMs = startOfDay(day) + (daysBetween(EPOCH, day) % 24) * HOUR_MS
    carryOut(table, plan(policy, viewOf(nowMs, table.days, { fence: table.fence }), []), () => undefined)
    const { days } = table
    assert.deepEqual(days, daysThrough(days[0] ?? '', addDays(day, 7)))
    assert.ok(days[0] !== undefined && daysBetween(days[0], day) <= 9 && daysBetween(days[0], day) >= 8)
  }
})

/** Hours from one run to the next: mostly half a day, sometimes a worker that was away for days. */
const PAUSES = fc.infiniteStream(
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(11) },
    { weight: 1, arbitrary: fc.integer({ min: 12, max: 150 }) },
  ),
)

/** How much earlier than it was appended a record is dated: mostly a little, sometimes by days. */
const DELAYS = fc.infiniteStream(
  fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 0, max: 600_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 * DAY_MS }) },
  ),
)

test('over 400 days of missed runs and records out of order, no day goes of which the broker holds what it held at its end', () => {
  fc.assert(
    fc.property(PAUSES, DELAYS, fc.integer({ min: 1, max: 400 }), (pauses, delays, segmentRecords) => {
      const broker = new BrokerModel(7 * DAY_MS, segmentRecords)
      const table: ModelTable = { days: [], fence: null }
      const endMs = startOfDay(EPOCH) + 400 * DAY_MS
      for (let nowMs = startOfDay(EPOCH); nowMs < endMs; ) {
        const view = viewOf(nowMs, table.days, { fence: table.fence })
        const policy = { ...DEFAULT_POLICY, topics: ['payments'] }
        carryOut(table, plan(policy, view, [broker.evidence(nowMs, table.days)]), (day) => {
          assert.ok(!broker.holds(day), `${day} can still be delivered`)
          assert.ok(startOfDay(day) + 9 * DAY_MS <= nowMs, `${day} goes before its retention is over`)
        })
        const today = dayOf(nowMs) ?? ''
        assert.deepEqual(table.days, daysThrough(table.days[0] ?? '', addDays(today, 7)))
        const next = nowMs + (pauses.next().value ?? 1) * HOUR_MS
        for (; nowMs < next; nowMs += 3 * HOUR_MS) broker.append(nowMs - (delays.next().value ?? 0))
        nowMs = next
        broker.deleteOld(nowMs)
      }
      const oldest = table.days[0] ?? ''
      const reachDays = 9 + 6 + Math.ceil((segmentRecords * 3) / 24)
      assert.ok(daysBetween(oldest, dayOf(endMs) ?? '') <= reachDays + 7, `${oldest} was not removed in time`)
    }),
    // Each takes about three seconds.
    { numRuns: Number(process.env.DAYMARK_SIMULATION_RUNS ?? 2) },
  )
})
