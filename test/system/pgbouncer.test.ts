import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { lockProgress } from '../../src/consumer/sql/lock-progress.ts'
import { setProgress } from '../../src/consumer/sql/set-progress.ts'
import { writeProgress } from '../../src/consumer/sql/write-progress.ts'
import { openMaintenanceSession } from '../../src/maintenance/open-maintenance-session.ts'
import { type Database, openDatabase } from '../../src/postgres/database.ts'
import type { Session } from '../../src/postgres/session.ts'
import { settled } from '../../src/postgres/settled.ts'
import { complaintOf } from '../../src/postgres/sqlstate.ts'
import { begin, commit, rollback } from '../../src/postgres/transaction.ts'
import { eventually } from '../support/eventually.ts'
import { eventIds, payment } from '../support/payments.ts'
import { startPgbouncer } from '../support/pgbouncer.ts'
import { createLedger, ledgerEffect, startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { createTestTopics } from '../support/test-topic.ts'

const SERVER_CONNECTIONS = 2
const CLIENTS = 6

const db = await createTestDatabase()
const pgbouncer = await startPgbouncer(db.settings, SERVER_CONNECTIONS)
after(async () => {
  await pgbouncer[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

function openPooled(): Database {
  return openDatabase({ ...pgbouncer.settings, poolSize: CLIENTS }, () => undefined)
}

/** Every client at once, so that they take turns on the few connections to the server. */
async function onEveryClient(
  pool: Database,
  use: (session: Session, client: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, client) => pool.withSession((session) => use(session, client))),
  )
}

test('statements with parameters work, more clients than connections', async () => {
  await using pool = openPooled()
  const backends = new Set<number>()
  await onEveryClient(pool, async (session, client) => {
    for (let turn = 0; turn < 20; turn++) {
      const { rows } = await session.query<{ said: string; pid: number }>(
        'select $1::text as said, pg_backend_pid() as pid',
        [`${client}.${turn}`],
      )
      assert.equal(rows[0]?.said, `${client}.${turn}`)
      backends.add(rows[0].pid)
    }
  })
  assert.ok(backends.size <= SERVER_CONNECTIONS)
})

test('a pipelined transaction stays on one connection, and its answers in order', async () => {
  await using pool = openPooled()
  await onEveryClient(pool, async (session, client) => {
    for (let turn = 0; turn < 10; turn++) {
      const [, ...answers] = await settled([
        begin(session),
        ...[1, 2, 3].map((number) =>
          session.query<{ number: number; pid: number }>(
            'select $1::integer as number, pg_backend_pid() as pid, $2::integer as client',
            [number, client],
          ),
        ),
        commit(session),
      ])
      const rows = answers.flatMap(
        (answer) => (answer as { rows?: { number: number; pid: number }[] } | undefined)?.rows ?? [],
      )
      assert.deepEqual(
        rows.map(({ number }) => number),
        [1, 2, 3],
      )
      assert.equal(new Set(rows.map(({ pid }) => pid)).size, 1)
    }
  })
})

test('batches that lock one progress row take turns, and leave no limit of theirs behind', async () => {
  await using pool = openPooled()
  const source = { group: 'pooled', topic: 't', partition: 0 }
  await setProgress(pool, { ...source, nextOffset: '0', lost: 0 })
  const limits = { statementTimeoutMs: 20_000, lockTimeoutMs: 20_000, idleTimeoutMs: 20_000 }
  await onEveryClient(pool, async (session) => {
    for (let turn = 0; turn < 10; turn++) {
      await begin(session)
      const { nextOffset } = await lockProgress(session, { ...source, ...limits, seenOffset: '0' })
      const next = String(BigInt(nextOffset) + 1n)
      await settled([
        writeProgress(session, { ...source, nextOffset: next, recordTimestampMs: 0 }),
        commit(session),
      ])
    }
  })
  const { rows } = await pool.query<{ nextOffset: string; limit: string }>(
    `select next_offset as "nextOffset", current_setting('statement_timeout') as limit
       from daymark.consumer_progress where consumer_group = 'pooled'`,
  )
  assert.deepEqual(rows, [{ nextOffset: String(CLIENTS * 10), limit: '0' }])
})

test('COMMIT of a failed transaction is refused by its tag', async () => {
  await using pool = openPooled()
  await pool.withSession(async (session) => {
    await begin(session)
    await assert.rejects(session.query('select 1 / 0'), { code: '22012' })
    await assert.rejects(commit(session), { code: 'COMMIT_REFUSED', tag: 'ROLLBACK' })
  })
})

test('a backend that is terminated is a complaint of the database, and the next transaction has another', async () => {
  await using pool = openPooled()
  await pool.withSession(async (session) => {
    await begin(session)
    const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
    await db.database.query('select pg_terminate_backend($1::integer)', [rows[0]?.pid])
    await assert.rejects(session.query('select pg_sleep(60)'), (error) => complaintOf(error) !== null)
    await rollback(session)
  })
  await pool.query('select 1')
})

test('a consumer takes every event once', async () => {
  await using pool = openPooled()
  await using topics = await createTestTopics()
  await createLedger(db.database)
  const topic = await topics.create(2)
  const ids = eventIds('evt', 400)
  for (const _ of ['first', 'again']) {
    await topics.producer.send(
      topic,
      ids.map((id, number) => payment(id, { partition: number % 2, timestampMs: Date.now() })),
    )
  }
  await using consumer = await startTestConsumer({
    settings: testSettings({ topics: [topic], batchRows: 50 }),
    handler: ledgerEffect,
    database: pool,
    kafka: topics.kafka,
  })
  await eventually('the end of both partitions', () => {
    const { partitions } = consumer.snapshot()
    return partitions.length === 2 && partitions.every(({ nextOffset }) => nextOffset === '400')
  })
  const { rows } = await db.database.query<{ id: string }>(
    'select event_id as id from ledger_entries order by 1',
  )
  assert.deepEqual(
    rows.map(({ id }) => id),
    ids,
  )
})

test('maintenance by way of it is refused: a lock of a session would be held by nobody', async () => {
  await assert.rejects(openMaintenanceSession(pgbouncer.settings), /MAINTENANCE_DATABASE_URL/)
})
