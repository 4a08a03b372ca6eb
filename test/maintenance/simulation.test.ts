import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, type Day, daysBetween, daysThrough, startOfDay } from '../../src/calendar/period.ts'
import { plan } from '../../src/maintenance/plan.ts'
import { DAY_MS, givenRetention, viewOf } from './table-view-of.ts'

const EPOCH = '2026-11-30'

test('over 400 days there is always a runway, never an early drop and never a gap', () => {
  const policy = givenRetention(8 * DAY_MS)
  let days: Day[] = []
  let fence: Day | null = null
  for (let day = EPOCH; daysBetween(EPOCH, day) < 400; day = addDays(day, 1)) {
    const nowMs = startOfDay(day) + (daysBetween(EPOCH, day) % 24) * 3_600_000
    for (const step of plan(policy, viewOf(nowMs, days, { fence }), []).steps) {
      if (step.kind === 'write-fence') fence = step.day
      if (step.kind === 'make-day') days = [...days, step.day].sort()
      if (step.kind !== 'remove-day') continue
      assert.ok(fence === null || step.fromDay > fence, 'the fence never moves back')
      fence = step.fromDay
      days = days.filter((each) => each !== step.fromDay)
    }
    assert.deepEqual(days, daysThrough(days[0] ?? '', addDays(day, 7)))
    assert.ok(days[0] !== undefined && daysBetween(days[0], day) <= 9 && daysBetween(days[0], day) >= 8)
  }
})
