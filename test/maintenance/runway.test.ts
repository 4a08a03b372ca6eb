import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysThrough, startOfDay } from '../../src/calendar/period.ts'
import { readRunway, runwayOf } from '../../src/maintenance/runway.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { setFence, todayOf } from './maintenance-bench.ts'
import { DAY_MS, partitionOf } from './table-view-of.ts'

const TODAY = '2026-11-30'
const NOON_MS = startOfDay(TODAY) + DAY_MS / 2

test('the runway is the days ahead without a gap', () => {
  const days = [...daysThrough(addDays(TODAY, -3), addDays(TODAY, 2)), addDays(TODAY, 4)]
  const { runwayDays, oldestDay, latestDay } = runwayOf(
    days.map((day) => partitionOf(day)),
    NOON_MS,
  )
  assert.deepEqual([runwayDays, oldestDay, latestDay], [2, addDays(TODAY, -3), addDays(TODAY, 4)])
})

test('the runway shrinks as the clock goes on, although nothing is done, and is -1 when not even today is there', () => {
  const partitions = daysThrough(TODAY, addDays(TODAY, 1)).map((day) => partitionOf(day))
  const at = (ahead: number): number => runwayOf(partitions, NOON_MS + ahead * DAY_MS).runwayDays
  assert.deepEqual([at(0), at(1), at(2)], [1, 0, -1])
})

test('a day whose detach is pending counts for nothing, because nothing can be written to it', () => {
  const partitions = [partitionOf(TODAY), partitionOf(addDays(TODAY, 1), { isPending: true })]
  const { runwayDays, isDetachPending } = runwayOf(partitions, NOON_MS)
  assert.deepEqual([runwayDays, isDetachPending], [0, true])
})

test('after the migration the marker table has a runway of seven days', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  await setFence(db.database, addDays(today, -2))
  const { nowMs: _, ...runway } = await readRunway(db.database)
  assert.deepEqual(runway, {
    today,
    runwayDays: 7,
    oldestDay: addDays(today, -1),
    latestDay: addDays(today, 7),
    partitions: 9,
    isDetachPending: false,
    fence: addDays(today, -2),
  })
})
