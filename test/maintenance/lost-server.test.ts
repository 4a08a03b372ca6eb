import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { addDays } from '../../src/calendar/period.ts'
import { freePort } from '../../src/local/free-port.ts'
import { silentObserver } from '../../src/maintenance/maintenance-observer.ts'
import { openRunRequests } from '../../src/maintenance/run-request.ts'
import { migrateJobs } from '../../src/maintenance/scheduler.ts'
import { startWorker } from '../../src/maintenance/worker.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { migrateSchema } from '../../src/postgres/migrate.ts'
import { silentLog } from '../../src/process/log.ts'
import { eventually } from '../support/eventually.ts'
import { startServer } from '../support/own-postgres.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { daysOf, makeOldDay, OWN_RETENTION, partsOf, setFence, todayOf } from './maintenance-bench.ts'

for (const [manner, signal] of [
  ['fast', 'SIGINT'],
  ['immediate', 'SIGQUIT'],
] as const) {
  test(`a worker outlives a restart of the server (${manner}), and serves what is asked for afterwards`, async () => {
    using directory = makeScratchDirectory()
    const data = join(directory.path, 'postgres')
    const port = await freePort()
    const before = await startServer(data, port)
    const settings = {
      url: before.urlOf('postgres'),
      schema: 'daymark',
      poolSize: 1,
      applicationName: 'daymark:maintain',
    }
    await migrateSchema(settings)
    await migrateJobs(settings)
    const parts = { direct: settings, kafka: null, log: silentLog, observer: silentObserver }
    const worker = await startWorker(parts, [OWN_RETENTION])
    try {
      await before.process.stop(signal, 15_000)
      await using _ = await startServer(data, port)
      await using session = await openDirectSession(settings)
      const latest = addDays(await todayOf(session), 7)
      await session.query(`drop table daymark.processed_events_${latest.replaceAll('-', '_')}`)
      await using requests = await openRunRequests(settings)
      await requests.request('daymark.processed_events')
      await eventually('the day to be made', async () => (await daysOf(session)).includes(latest))
      await worker.stop()
    } finally {
      // Where the server is gone for good, its end cannot be written down.
      await worker.stop().catch(() => undefined)
    }
  })
}

test('a worker that loses every connection at once in the middle of a removal finishes it by itself', async () => {
  await using db = await createTestDatabase()
  const old = addDays(await todayOf(db.database), -9)
  await setFence(db.database, addDays(old, -1))
  await makeOldDay(db.database, old)
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select count(*) from daymark.processed_events')
  const worker = await startWorker(partsOf(db), [OWN_RETENTION])
  try {
    await eventually('the removal to wait', async () => {
      const { rows } = await db.database.query('select from pg_inherits where inhdetachpending')
      return rows.length === 1
    })
    const { rows } = await db.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'daymark:maintain' and datname = current_database()`,
    )
    assert.ok(rows.length >= 3)
    await reader.query('commit')
    await eventually('the old day to go', async () => !(await daysOf(db.database)).includes(old))
  } finally {
    await worker.stop()
  }
})
