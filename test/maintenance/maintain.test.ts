import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysThrough } from '../../src/calendar/period.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { daysOf, makeOldDay, outcomesOf, runOnce, setFence, todayOf } from './maintenance-bench.ts'

test('the first run makes every day from the retention to the end of the runway, and writes the fence before it', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  const report = await runOnce(db, 'make')
  assert.equal(report.outcome, 'done', outcomesOf(report).join('\n'))
  assert.deepEqual(await daysOf(db.database), daysThrough(addDays(today, -8), addDays(today, 7)))
  const { rows } = await db.database.query<{ fence: string }>(
    `select to_char(dropped_through, 'YYYY-MM-DD') as fence from daymark.maintained_tables`,
  )
  assert.deepEqual(rows, [{ fence: addDays(today, -9) }])
})

test('a second run finds nothing to do', async () => {
  await using db = await createTestDatabase()
  await runOnce(db, 'make')
  const report = await runOnce(db, 'make')
  assert.deepEqual([report.outcome, report.steps.length], ['already', 0])
})

test('a day past its retention is fenced, detached and dropped, and the fence stays behind it', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  const [older, old] = [addDays(today, -11), addDays(today, -10)]
  await makeOldDay(db.database, older)
  await makeOldDay(db.database, old)
  await setFence(db.database, addDays(today, -12))
  const report = await runOnce(db, 'remove')
  assert.deepEqual(outcomesOf(report), [`remove-day ${older} done`, `remove-day ${old} done`])
  assert.match(
    report.steps[0]?.step.reason ?? '',
    /^drop \S+: ended 10 d.* ago; retention 8 d from the configuration$/,
  )
  assert.deepEqual(await daysOf(db.database), daysThrough(addDays(today, -1), addDays(today, 7)))
  const { rows } = await db.database.query(
    `select to_char(dropped_through, 'YYYY-MM-DD') as fence, (select count(*)::integer from daymark.partitions_to_drop) as notes,
            to_regclass('daymark.processed_events_' || to_char($1::date, 'YYYY_MM_DD')) as "table"
       from daymark.maintained_tables`,
    [old],
  )
  assert.deepEqual(rows, [{ fence: old, notes: 0, table: null }])
})

test('every step is written down with its run, its reason and its outcome', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  await setFence(db.database, addDays(today, -2))
  const report = await runOnce(db, 'make', undefined, { trigger: 'schedule' })
  const { rows } = await db.database.query(
    `select count(*)::integer as steps, min(trigger) as trigger, min(outcome) as outcome from daymark.maintenance_runs where run_id = $1::uuid`,
    [report.runId],
  )
  assert.deepEqual(
    rows,
    [{ steps: report.steps.length, trigger: 'schedule', outcome: null }].map((row) => ({
      ...row,
      trigger: report.steps.length ? 'schedule' : null,
      outcome: report.steps.length ? 'done' : null,
    })),
  )
})
