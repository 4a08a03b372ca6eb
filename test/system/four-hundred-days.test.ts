import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addDays,
  type Day,
  dayOf,
  daysBetween,
  daysThrough,
  endOfDay,
  startOfDay,
} from '../../src/calendar/period.ts'
import { findFence } from '../../src/maintenance/sql/find-fence.ts'
import { daysOf, insertMarker, outcomesOf, runOnce } from '../maintenance/maintenance-bench.ts'
import { DAY_MS } from '../maintenance/table-view-of.ts'
import { giveClock } from '../support/database-clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** In the past, because days are not removed by a clock that runs ahead of ours. */
const FIRST = '2025-06-01'
const LAST = addDays(FIRST, 400)

/** Hours from one run to the next, over and over: about a day, twice a day, and away for the length of the runway. */
const PAUSES = [25, 11, 23, 26, 13, 24, 47, 24, 160, 24, 25, 23]

async function maintainAt(db: TestDatabase, nowMs: number): Promise<void> {
  for (const kind of ['make', 'remove'] as const) {
    const report = await runOnce(db, kind)
    const what = `${new Date(nowMs).toISOString()}: ${outcomesOf(report).join('\n')}`
    assert.ok(report.outcome === 'done' || report.outcome === 'already', what)
  }
}

test('over 400 days on a real server, every event finds its day, and no day goes before its time', async () => {
  await using db = await createTestDatabase()
  const clock = await giveClock(db.database)
  for (const day of await daysOf(db.database))
    await db.database.query(`drop table daymark.processed_events_${day.replaceAll('-', '_')}`)
  const marked = new Map<Day, number>()
  let fence: Day = '0001-01-01'
  let nowMs = startOfDay(FIRST)
  for (let turn = 0; nowMs < startOfDay(LAST); turn++) {
    await clock.set(nowMs)
    await maintainAt(db, nowMs)
    const today = dayOf(nowMs) ?? ''
    const days = await daysOf(db.database)
    const oldest = days[0] ?? ''
    assert.deepEqual(days, daysThrough(oldest, addDays(today, 7)), 'no gap')
    assert.ok(endOfDay(addDays(oldest, -1)) + 8 * DAY_MS <= nowMs, `${oldest} is the oldest on ${today}`)
    assert.ok(endOfDay(oldest) + 8 * DAY_MS > nowMs, `${oldest} is still there on ${today}`)
    const found = (await findFence(db.database, 'daymark', 'processed_events')) ?? ''
    assert.ok(found >= fence && found < oldest, `the fence went from ${fence} to ${found}`)
    fence = found

    nowMs += (PAUSES[turn % PAUSES.length] ?? 24) * 3_600_000
    // Until the next run events go on coming, each day one, whether a worker is there or not.
    for (const day of daysThrough(today, dayOf(nowMs) ?? today)) {
      await insertMarker(db.database, day, `${turn}-${day}`)
      marked.set(day, (marked.get(day) ?? 0) + 1)
    }
  }
  const { rows } = await db.database.query<{ day: Day; markers: number }>(
    `select to_char(marker_day, 'YYYY-MM-DD') as day, count(*)::integer as markers
       from daymark.processed_events group by marker_day order by marker_day`,
  )
  const kept = [...marked].filter(([day]) => day > fence).sort()
  assert.deepEqual(
    rows.map(({ day, markers }) => [day, markers]),
    kept,
  )
  assert.ok(daysBetween(FIRST, fence) > 380)
})
