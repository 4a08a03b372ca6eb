import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysThrough } from '../../src/calendar/period.ts'
import { openRunRequests } from '../../src/maintenance/run-request.ts'
import { startWorker } from '../../src/maintenance/worker.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { daysOf, makeOldDay, OWN_RETENTION, partsOf, setFence, todayOf } from './maintenance-bench.ts'

test('a worker has made the days when it has started, and goes on to remove the old ones', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  await makeOldDay(db.database, addDays(today, -10))
  const worker = await startWorker(partsOf(db), [OWN_RETENTION])
  try {
    const { rows } = await db.database.query(
      'select from daymark.maintained_tables where made_at is not null',
    )
    assert.equal(rows.length, 1)
    await eventually(
      'the old day to go',
      async () => !(await daysOf(db.database)).includes(addDays(today, -10)),
    )
  } finally {
    await worker.stop()
  }
  await worker.done
})

test('a run that is asked for makes the day that is missing', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  await setFence(db.database, addDays(today, -2))
  const worker = await startWorker(partsOf(db), [OWN_RETENTION])
  try {
    const name = `processed_events_${addDays(today, 1).replaceAll('-', '_')}`
    await db.database.query(`drop table daymark.${name}`)
    await using requests = await openRunRequests({ ...db.settings, poolSize: 1 })
    await requests.request('daymark.processed_events')
    await eventually('tomorrow to be there', async () =>
      (await daysOf(db.database)).includes(addDays(today, 1)),
    )
    assert.deepEqual(await daysOf(db.database), daysThrough(addDays(today, -1), addDays(today, 7)))
  } finally {
    await worker.stop()
  }
})

test('schedules of tables that are not maintained any more are taken out', async () => {
  await using db = await createTestDatabase()
  const schedules = async (): Promise<string[]> => {
    const { rows } = await db.database.query<{ key: string }>(
      'select key from daymark_pgboss.schedule order by key',
    )
    return rows.map(({ key }) => key)
  }
  const first = await startWorker(partsOf(db), [OWN_RETENTION, { ...OWN_RETENTION, table: 'gone by then' }])
  await first.stop()
  assert.equal((await schedules()).length, 4)
  const second = await startWorker(partsOf(db), [OWN_RETENTION])
  await second.stop()
  assert.deepEqual(await schedules(), ['make/daymark.processed_events', 'remove/daymark.processed_events'])
})

test('a worker that is stopped while its removal waits ends within seconds, and the next one finishes', async () => {
  await using db = await createTestDatabase()
  const old = addDays(await todayOf(db.database), -9)
  await setFence(db.database, addDays(old, -1))
  await makeOldDay(db.database, old)
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select count(*) from daymark.processed_events')
  const isPending = async (): Promise<boolean> => {
    const { rows } = await db.database.query('select from pg_inherits where inhdetachpending')
    return rows.length === 1
  }
  const worker = await startWorker(partsOf(db), [OWN_RETENTION])
  await eventually('the removal to wait', isPending)
  const askedAt = performance.now()
  await worker.stop()
  assert.ok(performance.now() - askedAt < 10_000)
  assert.ok(await isPending())
  await reader.query('commit')
  const next = await startWorker(partsOf(db), [OWN_RETENTION])
  try {
    await eventually('the old day to go', async () => !(await daysOf(db.database)).includes(old))
  } finally {
    await next.stop()
  }
})

test('a worker refuses a job queue that has not been migrated, after it has made the days', async () => {
  await using db = await createTestDatabase()
  await db.database.query('update daymark_pgboss.version set version = version - 1')
  await assert.rejects(startWorker(partsOf(db), [OWN_RETENTION]), { code: 'JOB_SCHEMA' })
  const { rows } = await db.database.query('select from daymark.maintained_tables where made_at is not null')
  assert.equal(rows.length, 1)
})
