import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysThrough } from '../../src/calendar/period.ts'
import { openRunRequests } from '../../src/maintenance/run-request.ts'
import { startWorker } from '../../src/maintenance/worker.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { daysOf, makeOldDay, OWN_RETENTION, partsOf, setFence, todayOf } from './maintenance-bench.ts'

test('a worker has made the days when it has started, and removes the old ones as its first job', async () => {
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
