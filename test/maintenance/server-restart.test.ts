import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { addDays, daysThrough } from '../../src/calendar/period.ts'
import { freePort } from '../../src/local/free-port.ts'
import { type LocalPostgres, startLocalPostgres } from '../../src/local/local-postgres.ts'
import { maintain } from '../../src/maintenance/maintain.ts'
import { silentObserver } from '../../src/maintenance/maintenance-observer.ts'
import type { RunReport } from '../../src/maintenance/run.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { migrateSchema } from '../../src/postgres/migrate.ts'
import { silentLog } from '../../src/process/log.ts'
import { eventually } from '../support/eventually.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'
import { daysOf, makeOldDay, OWN_RETENTION, outcomesOf, setFence, todayOf } from './maintenance-bench.ts'

/** A server of one's own: it can be stopped without taking the other tests along. */
type OwnServer = { readonly server: LocalPostgres; readonly settings: ReturnType<typeof settingsOf> }

async function startServer(directory: string, port: number): Promise<OwnServer> {
  const server = await startLocalPostgres({ directory: join(directory, 'postgres'), port, parameters: [] })
  return { server, settings: settingsOf(server) }
}

function settingsOf(server: LocalPostgres): {
  url: string
  schema: string
  poolSize: number
  applicationName: string
} {
  return {
    url: server.urlOf('postgres'),
    schema: 'daymark',
    poolSize: 1,
    applicationName: 'daymark:maintain',
  }
}

function remove({ settings }: OwnServer): Promise<RunReport> {
  const parts = { direct: settings, kafka: null, log: silentLog, observer: silentObserver }
  return maintain(parts, OWN_RETENTION, {
    kind: 'remove',
    trigger: 'command',
    signal: new AbortController().signal,
  })
}

for (const [manner, signal] of [
  ['fast', 'SIGINT'],
  ['immediate', 'SIGQUIT'],
] as const) {
  test(`a ${manner} restart of the server while a detach waits leaves a state that the next run finishes`, async () => {
    using directory = makeScratchDirectory()
    const port = await freePort()
    const before = await startServer(directory.path, port)
    try {
      await migrateSchema(before.settings)
      const reader = await openDirectSession(before.settings)
      const today = await todayOf(reader)
      await makeOldDay(reader, addDays(today, -9))
      await setFence(reader, addDays(today, -10))
      await reader.query('begin')
      await reader.query('select count(*) from daymark.processed_events')
      const running = remove(before)
      // Heard at once: it rejects while this test waits for the server.
      running.catch(() => undefined)
      await using looker = await openDirectSession(before.settings)
      await eventually('the detach to wait', async () => {
        const { rows } = await looker.query('select from pg_inherits where inhdetachpending')
        return rows.length === 1
      })
      await before.server.process.stop(signal, 15_000)
      await assert.rejects(running)
    } finally {
      await before.server.stop()
    }

    const after = await startServer(directory.path, port)
    try {
      const report = await remove(after)
      assert.equal(report.outcome, 'done', outcomesOf(report).join('\n'))
      await using looker = await openDirectSession(after.settings)
      const today = await todayOf(looker)
      assert.deepEqual(await daysOf(looker), daysThrough(addDays(today, -1), addDays(today, 7)))
      const { rows } = await looker.query('select from daymark.partitions_to_drop')
      assert.equal(rows.length, 0)
    } finally {
      await after.server.stop()
    }
  })
}
