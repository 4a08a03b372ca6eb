import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../src/calendar/period.ts'
import { openRunRequests } from '../../src/maintenance/run-request.ts'
import { giveClock } from '../support/database-clock.ts'
import { eventually } from '../support/eventually.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import {
  daysOf,
  makeOldDay,
  OWN_RETENTION,
  outcomesOf,
  runOnce,
  setFence,
  todayOf,
} from './maintenance-bench.ts'
import { startWorkerProcess } from './start-worker-process.ts'

/** A day to remove, and a reader that its removal waits for. */
async function createBlockedTable() {
  const db = await createTestDatabase()
  const clock = await giveClock(db.database)
  const today = await todayOf(db.database)
  const old = addDays(today, -9)
  await setFence(db.database, addDays(old, -1))
  await makeOldDay(db.database, old)
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select count(*) from daymark.processed_events')
  const isPending = async (): Promise<boolean> => {
    const { rows } = await db.database.query('select from pg_inherits where inhdetachpending')
    return rows.length === 1
  }
  return { db, clock, today, old, reader, isPending, [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() }
}

/** The lines about locks that workers wrote down: each says who was at it. */
async function reasonsOfLocked(db: TestDatabase): Promise<string[]> {
  const { rows } = await db.database.query<{ reason: string }>(
    `select reason from daymark.maintenance_runs where outcome = 'locked'`,
  )
  return rows.map(({ reason }) => reason)
}

async function dropDay(db: TestDatabase, day: string): Promise<void> {
  await db.database.query(`drop table daymark.processed_events_${day.replaceAll('-', '_')}`)
}

test('of four workers one is frozen while it holds the lock: the others say who, and go on making days', async () => {
  await using table = await createBlockedTable()
  const { db, today, old, reader, isPending } = table
  const frozen = await startWorkerProcess(db, OWN_RETENTION)
  await using stack = new AsyncDisposableStack()
  stack.use(frozen)
  await eventually('the removal to wait', isPending)
  frozen.process.kill('SIGSTOP')
  // One after the other, so that each is started during the run of the first.
  for (let count = 0; count < 3; count++) stack.use(await startWorkerProcess(db, OWN_RETENTION))
  const reasons = await eventually('three workers to say who is at it', async () => {
    const found = await reasonsOfLocked(db)
    return found.length >= 3 ? found : null
  })
  const { rows } = await db.database.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and granted
        and pid in (select pid from pg_stat_activity
                     where datname = current_database() and application_name = 'daymark:maintain')`,
  )
  for (const reason of reasons)
    assert.ok(
      rows.some(({ pid }) => reason.includes(`process ${pid} (daymark:maintain`)),
      reason,
    )

  await reader.query('commit')
  await dropDay(db, addDays(today, 7))
  await using requests = await openRunRequests({ ...db.settings, poolSize: 1 })
  await requests.request('daymark.processed_events')
  await eventually('the day to be made by another', async () =>
    (await daysOf(db.database)).includes(addDays(today, 7)),
  )
  frozen.process.kill('SIGCONT')
  await eventually(
    'the removal to be finished by the one that was frozen',
    async () => !(await daysOf(db.database)).includes(old),
  )
})

test('a lock that a frozen worker has held for two intervals is reported, and ended as the report says', async () => {
  await using table = await createBlockedTable()
  const { db, clock, old, reader, isPending } = table
  await using frozen = await startWorkerProcess(db, OWN_RETENTION)
  await eventually('the removal to wait', isPending)
  frozen.process.kill('SIGSTOP')
  assert.equal((await runOnce(db, 'remove')).outcome, 'locked')
  await clock.advance(2 * 3_600_000)
  const report = await runOnce(db, 'remove')
  assert.equal(report.outcome, 'refused')
  const { rows } = await db.database.query<{ reason: string }>(
    `select reason from daymark.maintenance_runs where outcome = 'refused'`,
  )
  const found =
    /^process (\d+) \(daymark:maintain.*\) holds the lock .* 2 h.*: it hangs\. End it: (select .+)$/.exec(
      rows[0]?.reason ?? '',
    )
  assert.ok(found, rows[0]?.reason)
  assert.equal(Number(found[1]), report.holder?.pid)
  await reader.query('commit')
  await db.database.query(found[2] ?? '')
  const after = await eventually('the lock to be free', async () => {
    const run = await runOnce(db, 'remove')
    return run.outcome === 'locked' || run.outcome === 'refused' ? null : run
  })
  assert.ok(after.outcome === 'done' || after.outcome === 'already', outcomesOf(after).join('\n'))
  assert.ok(!(await daysOf(db.database)).includes(old))
})

test('a run that is requested while one runs is not lost: the one that runs looks again', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  await setFence(db.database, addDays(today, -2))
  const [tomorrow, latest] = [addDays(today, 1), addDays(today, 7)]
  await using _ = await startWorkerProcess(db, OWN_RETENTION)
  await dropDay(db, latest)
  const holder = await db.connect()
  await holder.query('begin')
  await holder.query('lock table daymark.processed_events in share update exclusive mode')
  await using requests = await openRunRequests({ ...db.settings, poolSize: 1 })
  await requests.request('daymark.processed_events')
  await eventually('the run to wait for its lock', async () => (await lockWaits(db)) > 0)
  await holder.query(`drop table daymark.processed_events_${tomorrow.replaceAll('-', '_')}`)
  await requests.request('daymark.processed_events')
  await holder.query('commit')
  await eventually('both days to be there', async () => {
    const days = await daysOf(db.database)
    return days.includes(tomorrow) && days.includes(latest)
  })
  const { rows } = await db.database.query<{ runs: number }>(
    `select count(distinct run_id)::integer as runs
       from daymark.maintenance_runs where trigger = 'request' and outcome = 'done'`,
  )
  assert.deepEqual(rows, [{ runs: 1 }])
})
