import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysThrough } from '../../src/calendar/period.ts'
import { startWorker } from '../../src/maintenance/worker.ts'
import {
  daysOf,
  insertMarker,
  makeOldDay,
  OWN_RETENTION,
  outcomesOf,
  partsOf,
  runOnce,
  setFence,
  todayOf,
} from '../maintenance/maintenance-bench.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** A table that has lost its runway: today is the last day. */
async function tableWithoutRunway(): Promise<{ db: TestDatabase; today: string }> {
  const db = await createTestDatabase()
  const today = await todayOf(db.database)
  await setFence(db.database, addDays(today, -2))
  for (const day of daysThrough(addDays(today, 1), addDays(today, 7))) {
    await db.database.query(`drop table daymark.processed_events_${day.replaceAll('-', '_')}`)
  }
  return { db, today }
}

test('an insert for tomorrow works after the migration, before any worker has run', async () => {
  await using db = await createTestDatabase()
  await insertMarker(db.database, addDays(await todayOf(db.database), 1), 'early')
})

test('a worker has made the days ahead when its start is over, also of a table that has none', async () => {
  const { db, today } = await tableWithoutRunway()
  await using _ = db
  await using session = await db.connect()
  for (const day of await daysOf(session))
    await session.query(`drop table daymark.processed_events_${day.replaceAll('-', '_')}`)
  const worker = await startWorker(partsOf(db), [OWN_RETENTION])
  try {
    for (const day of daysThrough(today, addDays(today, 7))) await insertMarker(db.database, day, 'first')
  } finally {
    await worker.stop()
  }
})

test('days are made while a transaction that has touched the table stays open', async () => {
  const { db, today } = await tableWithoutRunway()
  await using _ = db
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select count(*) from daymark.processed_events')
  const report = await runOnce(db, 'make')
  assert.equal(report.outcome, 'done', outcomesOf(report).join('\n'))
  assert.ok((await daysOf(db.database)).includes(addDays(today, 7)))
  await reader.query('commit')
})

test('days are made while a removal waits for hours', async () => {
  const { db, today } = await tableWithoutRunway()
  await using _ = db
  const old = addDays(today, -9)
  await makeOldDay(db.database, old)
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select count(*) from daymark.processed_events')
  const removing = runOnce(db, 'remove')
  await eventually('the detach to wait', async () => {
    const { rows } = await db.database.query(`select from pg_inherits where inhdetachpending`)
    return rows.length === 1
  })
  const report = await runOnce(db, 'make')
  assert.equal(report.outcome, 'done', outcomesOf(report).join('\n'))
  assert.ok((await daysOf(db.database)).includes(addDays(today, 1)))
  await reader.query('commit')
  assert.equal((await removing).outcome, 'done')
})

test('days are made although the removal fails', async () => {
  const { db, today } = await tableWithoutRunway()
  await using _ = db
  const name = await makeOldDay(db.database, addDays(today, -9))
  await db.database.query(`create view daymark.of_the_old_day as select * from daymark.${name}`)
  const worker = await startWorker(partsOf(db), [OWN_RETENTION])
  try {
    await insertMarker(db.database, addDays(today, 1), 'first')
    await eventually('the removal to be refused', async () => {
      const { rows } = await db.database.query(
        `select from daymark.maintenance_runs where outcome = 'refused' and kind = 'remove'`,
      )
      return rows.length > 0
    })
  } finally {
    await worker.stop()
  }
})

test('a failure at one table does not stop the next', async () => {
  const { db, today } = await tableWithoutRunway()
  await using _ = db
  const missing = { ...OWN_RETENTION, table: 'was_dropped' }
  const worker = await startWorker(partsOf(db), [missing, OWN_RETENTION])
  try {
    await insertMarker(db.database, addDays(today, 1), 'first')
  } finally {
    await worker.stop()
  }
})

test('days are made while the broker cannot be reached', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  const unreachable = { brokers: ['127.0.0.1:1'], clientId: 'daymark' }
  const report = await runOnce(
    db,
    'make',
    { ...OWN_RETENTION, topics: ['payments'], runwayDays: 9 },
    {},
    unreachable,
  )
  assert.equal(report.outcome, 'done', outcomesOf(report).join('\n'))
  assert.ok((await daysOf(db.database)).includes(addDays(today, 9)))
})

test('a session that holds off the attachment is named, leaves nothing half made, and the next run makes the day', async () => {
  const { db, today } = await tableWithoutRunway()
  await using _ = db
  const analyst = await db.connect()
  await analyst.query('begin')
  await analyst.query('analyze daymark.processed_events')
  const held = await runOnce(db, 'make', { ...OWN_RETENTION, runwayDays: 1 })
  assert.equal(held.outcome, 'contended')
  assert.equal(held.steps[0]?.blockers[0]?.pid, analyst.pid)
  await analyst.query('commit')
  const { rows } = await db.database.query(`select to_regclass($1::text) as "table"`, [
    `daymark.processed_events_${addDays(today, 1).replaceAll('-', '_')}`,
  ])
  assert.deepEqual(rows, [{ table: null }])
  const report = await runOnce(db, 'make', { ...OWN_RETENTION, runwayDays: 1 })
  assert.deepEqual(outcomesOf(report), [`make-day ${addDays(today, 1)} done`])
})

test('a server in another time zone and date style makes the same days', async () => {
  const { db, today } = await tableWithoutRunway()
  await using _ = db
  await db.database.query(`alter database ${db.name} set timezone = 'Pacific/Kiritimati'`)
  await db.database.query(`alter database ${db.name} set datestyle = 'SQL, DMY'`)
  const report = await runOnce(db, 'make')
  assert.equal(report.outcome, 'done', outcomesOf(report).join('\n'))
  await using session = await db.connect()
  assert.deepEqual(await daysOf(session), daysThrough(addDays(today, -1), addDays(today, 7)))
})
