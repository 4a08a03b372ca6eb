import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../src/calendar/period.ts'
import { startBusyWriters } from '../maintenance/busy-writers.ts'
import {
  daysOf,
  makeOldDay,
  OWN_RETENTION,
  outcomesOf,
  runOnce,
  setFence,
  todayOf,
} from '../maintenance/maintenance-bench.ts'
import { eventually } from '../support/eventually.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { createRunbookTable, markAsRunbook } from '../support/runbook-table.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** What an insert may wait at most, with room for a machine that is busy with other tests. */
const LONGEST_WAIT_MS = 500

/** A table with a day to remove and, by a longer runway, days to make. */
async function tableWithWork(): Promise<{ db: TestDatabase; today: string; old: string }> {
  const db = await createTestDatabase()
  const today = await todayOf(db.database)
  const old = addDays(today, -9)
  await makeOldDay(db.database, old)
  await setFence(db.database, addDays(today, -10))
  return { db, today, old }
}

const LONGER_RUNWAY = { ...OWN_RETENTION, runwayDays: 10 }

test('the naive way, one unbounded DELETE, stalls whoever meets a marker that it deletes, until it is over', async () => {
  await using db = await createTestDatabase()
  await createRunbookTable(db.database)
  await markAsRunbook(db.database, 'evt-42', 9)
  const pruning = await db.connect()
  await pruning.query('begin')
  await pruning.query(`delete from runbook.processed_events where processed_at < now() - interval '8 days'`)
  // A late redelivery: the key has to know whether the row before it stays.
  const redelivered = markAsRunbook(db.database, 'evt-42')
  await eventually('the consumer to wait', async () => (await lockWaits(db)) === 1)
  await pruning.query('commit')
  assert.equal(await redelivered, true)
})

test('a full pass makes and removes days while a reader holds the table for four seconds', async () => {
  const { db, today, old } = await tableWithWork()
  await using _ = db
  const writers = await startBusyWriters(db, today, 4)
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select count(*) from daymark.processed_events')
  const reading = reader.query('select pg_sleep(4)').then(() => reader.query('commit'))
  const made = await runOnce(db, 'make', LONGER_RUNWAY)
  const removed = await runOnce(db, 'remove', LONGER_RUNWAY)
  await reading
  const { inserts, longestMs } = await writers.stop()
  assert.equal(made.outcome, 'done', outcomesOf(made).join('\n'))
  assert.ok(made.steps.filter(({ step }) => step.kind === 'make-day').every(({ tookMs }) => tookMs < 3_000))
  assert.deepEqual(outcomesOf(removed), [`remove-day ${old} done`])
  const days = await daysOf(db.database)
  assert.ok(days.includes(addDays(today, 10)) && !days.includes(old))
  assert.ok(inserts > 100, `only ${inserts} inserts`)
  assert.ok(longestMs < LONGEST_WAIT_MS, `an insert waited ${Math.round(longestMs)} ms`)
})

test('the removal that waited for the reader says who it was, and for how long', async () => {
  const { db } = await tableWithWork()
  await using _ = db
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select count(*) from daymark.processed_events')
  const reading = reader.query('select pg_sleep(1)').then(() => reader.query('commit'))
  const report = await runOnce(db, 'remove')
  await reading
  const [step] = report.steps
  assert.equal(step?.outcome, 'done')
  assert.ok((step?.waitedMs ?? 0) > 500, `waited ${step?.waitedMs} ms`)
  assert.deepEqual(
    step?.blockers.map(({ pid, application }) => ({ pid, application })),
    [{ pid: reader.pid, application: 'daymark:test-session' }],
  )
  const { rows } = await db.database.query<{ blocker: { pid: number }[] }>(
    `select blocker from daymark.maintenance_runs where step = 'remove-day'`,
  )
  assert.equal(rows[0]?.blocker[0]?.pid, reader.pid)
})

test('a pending partition that old snapshots keep from being finished is dropped without stalling a writer', async () => {
  const { db, today, old } = await tableWithWork()
  await using _ = db
  await interruptDetach(db)
  const snapshot = await db.connect()
  await snapshot.query('begin isolation level repeatable read')
  await snapshot.query('select count(*) from daymark.consumer_groups')
  const writers = await startBusyWriters(db, today, 4)
  const report = await runOnce(db, 'remove')
  const { longestMs } = await writers.stop()
  await snapshot.query('commit')
  assert.equal(report.outcome, 'done', outcomesOf(report).join('\n'))
  assert.ok(!(await daysOf(db.database)).includes(old))
  assert.ok(longestMs < LONGEST_WAIT_MS, `an insert waited ${Math.round(longestMs)} ms`)
})

/** Leaves the detach of the old day pending, as a run does that is stopped while it waits for a reader. */
async function interruptDetach(db: TestDatabase): Promise<void> {
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select count(*) from daymark.processed_events')
  const report = await runOnce(db, 'remove', OWN_RETENTION, { signal: AbortSignal.timeout(500) })
  await reader.query('commit')
  assert.equal(report.outcome, 'waiting', outcomesOf(report).join('\n'))
}
