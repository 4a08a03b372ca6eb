import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../src/local/free-port.ts'
import type { LocalPostgres } from '../../src/local/local-postgres.ts'
import { addToData, restoreBaseBackup, takeBaseBackup } from '../support/base-backup.ts'
import { eventually } from '../support/eventually.ts'
import { appliedIds, assertEachOnce, eventuallyApplied } from '../support/ledger.ts'
import { type OwnGroup, openSession, startGroup, startServer } from '../support/own-postgres.ts'
import { eventIds } from '../support/payments.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'

const KEPT = eventIds('kept', 80)
const LOST = eventIds('lost', 120)

async function eventuallyReplicated(primary: LocalPostgres, replica: LocalPostgres): Promise<void> {
  await using ahead = await openSession(primary)
  await using behind = await openSession(replica)
  const { rows } = await ahead.query<{ position: string }>('select pg_current_wal_lsn()::text as "position"')
  await eventually('the replica to have replayed everything', async () => {
    const there = await behind.query<{ isThere: boolean }>(
      'select pg_last_wal_replay_lsn() >= $1::pg_lsn as "isThere"',
      [rows[0]?.position],
    )
    return there.rows[0]?.isThere === true
  })
}

/** One partition hears of it by its next event; the other is idle, and is looked at as every minute's probe does. */
async function assertReadAgain({ database, consumer, send, committed }: OwnGroup): Promise<void> {
  const left = await eventually('the database to answer', () => appliedIds(database))
  assert.deepEqual([...left].sort(), KEPT, 'the fault to have cost exactly what came after it')
  await send(['next'])
  await eventuallyApplied(database, KEPT.length + LOST.length / 2 + 1)
  await eventually('the idle partition to be looked at', async () => {
    await consumer.lookBehind()
    return true
  })
  await eventuallyApplied(database, KEPT.length + LOST.length + 1)
  await committed(KEPT.length + LOST.length + 1)
  await assertEachOnce(database, [...KEPT, ...LOST, 'next'])
}

test('what a database restored from a base backup has forgotten is read again, and applied once', async () => {
  using scratch = makeScratchDirectory()
  const port = await freePort()
  const data = join(scratch.path, 'data')
  const backup = join(scratch.path, 'backup')
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await startServer(scratch.path, port))
  await using group = await startGroup(server.urlOf('postgres'))
  await group.send(KEPT)
  await group.committed(KEPT.length)
  await takeBaseBackup(server.urlOf('postgres'), data, backup)
  await group.send(LOST)
  await group.committed(KEPT.length + LOST.length)
  await assertEachOnce(group.database, [...KEPT, ...LOST])
  await server.stop()
  await restoreBaseBackup(backup, data)
  stack.use(await startServer(scratch.path, port))
  await assertReadAgain(group)
})

test('what a replica had not received when it was promoted is read again, and applied once', async () => {
  using old = makeScratchDirectory()
  using next = makeScratchDirectory()
  await using primary = await startServer(old.path, await freePort())
  // Replay that is paused would be made up for by the promotion: it is the log itself that must not have arrived.
  await using link = await openTcpProxy(primary.urlOf('postgres'))
  await using address = await openTcpProxy(primary.urlOf('postgres'))
  await takeBaseBackup(primary.urlOf('postgres'), join(old.path, 'data'), join(next.path, 'data'))
  addToData(join(next.path, 'data'), 'standby.signal', '')
  await using replica = await startServer(next.path, await freePort(), [`primary_conninfo=${link.url}`])
  await using group = await startGroup(address.url)
  await group.send(KEPT)
  await group.committed(KEPT.length)
  await eventuallyReplicated(primary, replica)
  link.hold()
  await group.send(LOST)
  await group.committed(KEPT.length + LOST.length)
  await assertEachOnce(group.database, [...KEPT, ...LOST])
  await primary.process.stop('SIGQUIT', 10_000)
  link.cut()
  {
    await using session = await openSession(replica)
    await session.query('select pg_promote()')
  }
  address.switchTo(replica.urlOf('postgres'))
  address.cut()
  await assertReadAgain(group)
})
