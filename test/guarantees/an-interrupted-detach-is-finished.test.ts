import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysThrough } from '../../src/calendar/period.ts'
import { fenceDay } from '../../src/maintenance/sql/fence-day.ts'
import {
  assertHealed,
  fenceOf,
  killAsleep,
  openReader,
  pendingName,
  sleepAt,
  tableWithOldDays,
  targetOf,
  terminate,
} from '../maintenance/interrupted-table.ts'
import { daysOf, OWN_RETENTION, outcomesOf, runOnce } from '../maintenance/maintenance-bench.ts'
import { startWorkerProcess } from '../maintenance/start-worker-process.ts'
import { eventually } from '../support/eventually.ts'

test('a worker that is killed while its detach waits leaves a state that the next run finishes', async () => {
  const { db, today } = await tableWithOldDays()
  await using _ = db
  const reader = await openReader(db)
  const worker = await startWorkerProcess(db, OWN_RETENTION)
  await eventually('the detach to wait', () => pendingName(db))
  await worker[Symbol.asyncDispose]()
  await reader.query('commit')
  await assertHealed(db, today)
})

test('while the reader is still there the next run names it, harms nobody, and leaves all as it is', async () => {
  const { db, today } = await tableWithOldDays()
  await using _ = db
  const reader = await openReader(db)
  const stopped = await runOnce(db, 'remove', OWN_RETENTION, { signal: AbortSignal.timeout(400) })
  assert.equal(stopped.outcome, 'waiting')
  assert.ok(await pendingName(db))
  const report = await runOnce(db, 'remove')
  assert.equal(report.outcome, 'waiting', outcomesOf(report).join('\n'))
  assert.ok(report.steps[0]?.blockers.some(({ pid }) => pid === reader.pid))
  await reader.query('commit')
  await assertHealed(db, today)
})

test('a backend that is terminated while it waits is no more than a delay', async () => {
  const { db, today } = await tableWithOldDays()
  await using _ = db
  const reader = await openReader(db)
  const running = runOnce(db, 'remove')
  await eventually('the detach to wait', () => pendingName(db))
  await terminate(db, `query like 'alter table%detach%'`)
  const report = await running
  assert.equal(report.outcome, 'failed', outcomesOf(report).join('\n'))
  await reader.query('commit')
  await assertHealed(db, today)
})

test('a run that loses the session of its lock drops nothing more', async () => {
  const { db, today, older } = await tableWithOldDays()
  await using _ = db
  const reader = await openReader(db)
  const running = runOnce(db, 'remove')
  // Heard at once: it rejects while this test is still busy.
  running.catch(() => undefined)
  await eventually('the detach to wait', () => pendingName(db))
  await terminate(db, `pid in (select pid from pg_locks where locktype = 'advisory')`)
  await reader.query('commit')
  await assert.rejects(running)
  const { rows } = await db.database.query(`select to_regclass($1::text) is not null as "isThere"`, [
    `daymark.processed_events_${older.replaceAll('-', '_')}`,
  ])
  assert.deepEqual(rows, [{ isThere: true }])
  await assertHealed(db, today)
})

test('a worker that is killed before its fence is written leaves nothing behind', async () => {
  const { db, today } = await tableWithOldDays()
  await using _ = db
  await sleepAt(db, 'before insert on daymark.partitions_to_drop')
  await killAsleep(db)
  await db.database.query('drop trigger sleeps on daymark.partitions_to_drop')
  assert.equal(await fenceOf(db), addDays(today, -11))
  await assertHealed(db, today)
})

test('a worker that is killed between the fence and the detach is followed by one that detaches', async () => {
  const { db, today, older } = await tableWithOldDays()
  await using _ = db
  await fenceDay(db.database, 'daymark', 'processed_events', await targetOf(db, older))
  assert.equal(await fenceOf(db), older)
  await assertHealed(db, today)
})

test('a worker that is killed between the detach and the drop is followed by one that drops', async () => {
  const { db, today, older } = await tableWithOldDays()
  await using _ = db
  const target = await targetOf(db, older)
  await fenceDay(db.database, 'daymark', 'processed_events', target)
  await db.database.query(
    `alter table daymark.processed_events detach partition daymark.${target.name} concurrently`,
  )
  await assertHealed(db, today)
})

test('a worker that is killed inside the drop has dropped all of it or nothing', async () => {
  const { db, today } = await tableWithOldDays()
  await using _ = db
  await db.database.query(
    `create function public.sleeps() returns event_trigger language plpgsql as $$ begin perform pg_sleep(60); end $$`,
  )
  await db.database.query(
    `create event trigger sleeps on sql_drop when tag in ('DROP TABLE') execute function public.sleeps()`,
  )
  await killAsleep(db)
  await db.database.query('drop event trigger sleeps')
  await assertHealed(db, today)
})

test('a detach of another partition that somebody else left pending is finished first, and its table left alone', async () => {
  const { db, today } = await tableWithOldDays()
  await using _ = db
  const latest = `processed_events_${addDays(today, 7).replaceAll('-', '_')}`
  const reader = await openReader(db)
  const session = await db.connect()
  await session.query(`set statement_timeout = 300`)
  await assert.rejects(
    session.query(`alter table daymark.processed_events detach partition daymark.${latest} concurrently`),
  )
  await reader.query('commit')
  const report = await runOnce(db, 'remove')
  assert.deepEqual(
    report.steps.map(({ step, outcome }) => [step.kind, outcome]),
    [
      ['finish-detach', 'done'],
      ['remove-day', 'done'],
      ['remove-day', 'done'],
    ],
  )
  const { rows } = await db.database.query(`select to_regclass($1::text) is not null as "isThere"`, [
    `daymark.${latest}`,
  ])
  assert.deepEqual(rows, [{ isThere: true }])
})

test('a note from before a restore drops no table that has another OID', async () => {
  const { db, today, older, old } = await tableWithOldDays()
  await using _ = db
  const target = await targetOf(db, older)
  await fenceDay(db.database, 'daymark', 'processed_events', { ...target, oid: '99999999' })
  const report = await runOnce(db, 'remove', {
    ...OWN_RETENTION,
    retention: { kind: 'given', ms: 3_650 * 86_400_000 },
  })
  assert.deepEqual(outcomesOf(report), [`drop-detached ${older} already`])
  assert.deepEqual(await daysOf(db.database), [
    older,
    old,
    ...daysThrough(addDays(today, -1), addDays(today, 7)),
  ])
})

test('a detached day that was renamed, attached again or filled with other days is left alone', async () => {
  const { db, older, old } = await tableWithOldDays()
  await using _ = db
  const [first, second] = [await targetOf(db, older), await targetOf(db, old)]
  for (const target of [first, second]) {
    await fenceDay(db.database, 'daymark', 'processed_events', target)
    await db.database.query(
      `alter table daymark.processed_events detach partition daymark.${target.name} concurrently`,
    )
  }
  await db.database.query(`alter table daymark.${first.name} rename to archived`)
  await db.database.query(
    `alter table daymark.${second.name} drop constraint ${second.name}_marker_day_check`,
  )
  await db.database.query(`update daymark.${second.name} set marker_day = '2020-01-01'`)
  const report = await runOnce(db, 'remove')
  assert.deepEqual(
    report.steps.map(({ step, outcome }) => [step.kind, outcome]),
    [
      ['refuse', 'refused'],
      ['drop-detached', 'refused'],
    ],
  )
  const { rows } = await db.database.query(
    `select to_regclass('daymark.archived') is not null and to_regclass($1::text) is not null as "areThere"`,
    [`daymark.${second.name}`],
  )
  assert.deepEqual(rows, [{ areThere: true }])
})
