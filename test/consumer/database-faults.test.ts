import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import { defineHandler, type HandlerEvent, type HandlerTransaction } from '../../src/index.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import type { DirectSession } from '../../src/postgres/direct-session.ts'
import { sqlstateOf } from '../../src/postgres/sqlstate.ts'
import { type BenchConsumer, type ConsumerBench, createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { assertEachOnce } from '../support/ledger.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { eventIds, payment } from '../support/payments.ts'

/**
 * What passes by itself, made as it comes about: by sessions that stand in each other's way, by timeouts that run
 * out, by limits of the server. (`connection-faults.test.ts` raises the codes that cannot be had on order.)
 */

const IDS = eventIds('evt', 20)
/** Short, so that a timeout that is a part of it runs out soon. */
const SHORT_MS = 1_000

async function applyToLedger(events: readonly HandlerEvent[], tx: HandlerTransaction): Promise<void> {
  assert.ok(ledgerHandler.kind === 'batch')
  await ledgerHandler.apply(events, tx)
}

/** The ledger after the statement that an attempt is to make, counted from 1; null for none. */
function afterStatement(statement: (attempt: number) => string | null) {
  let attempts = 0
  return defineHandler({
    async apply(events, tx) {
      attempts += 1
      const text = statement(attempts)
      if (text !== null) await tx.query(text)
      await applyToLedger(events, tx)
    },
  })
}

/** The ledger after two statements, between which the first attempt pauses until it is told to go on. */
function pausedFirst(before: string, after: string) {
  const pause = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const handler = defineHandler({
    async apply(events, tx) {
      await tx.query(before)
      pause.resolve()
      await end.promise
      await tx.query(after)
      await applyToLedger(events, tx)
    },
  })
  return { handler, paused: pause.promise, goOn: end.resolve }
}

function codesOf({ log }: ConsumerBench): (string | null)[] {
  return log.lines.filter(({ fields }) => fields.next === 'again').map(({ fields }) => sqlstateOf(fields.err))
}

async function send(bench: ConsumerBench): Promise<void> {
  await bench.send(IDS.map((id) => payment(id)))
}

/** Each event took effect once, nothing was set aside, nobody waits, and the fault was the one that was meant. */
async function assertPassed(
  bench: ConsumerBench,
  consumer: BenchConsumer,
  sqlstate: string | null,
): Promise<void> {
  await bench.committed(IDS.length)
  await assertEachOnce(bench.db.database, IDS)
  assert.deepEqual(await bench.deadLetters(), [])
  assert.deepEqual(consumer.told.waits, [])
  assert.ok(codesOf(bench).includes(sqlstate), `expected ${sqlstate}, found ${codesOf(bench)}`)
}

async function someoneWaits(bench: ConsumerBench): Promise<void> {
  await eventually('a session to wait for a lock', async () => (await lockWaits(bench.db)) > 0)
}

async function begin(session: DirectSession, statement: string): Promise<void> {
  await session.query('begin')
  await session.query(statement)
}

test('the victim of a deadlock is tried again', async () => {
  await using bench = await createConsumerBench()
  await bench.db.database.query('create table accounts (name text primary key, balance bigint)')
  await bench.db.database.query(`insert into accounts values ('a', 0), ('b', 0)`)
  const other = await bench.db.connect()
  // It never finds the deadlock itself, so that the consumer is the victim.
  await other.query(`set deadlock_timeout = '1h'`)
  await begin(other, `update accounts set balance = balance + 1 where name = 'b'`)
  const first = pausedFirst(
    `update accounts set balance = balance + 1 where name = 'a'`,
    `update accounts set balance = balance + 1 where name = 'b'`,
  )
  await send(bench)
  await using consumer = await bench.start({ handler: first.handler })
  await first.paused
  const crossing = other.query(`update accounts set balance = balance + 1 where name = 'a'`)
  await someoneWaits(bench)
  first.goOn()
  await eventually('the deadlock to be found', () => codesOf(bench).includes('40P01'))
  await crossing
  await other.query('commit')
  await assertPassed(bench, consumer, '40P01')
})

test('a row that another session moves to another partition is a conflict that is tried again', async () => {
  await using bench = await createConsumerBench()
  await bench.db.database.query('create table accounts (name text, region text) partition by list (region)')
  await bench.db.database.query(`create table accounts_eu partition of accounts for values in ('eu')`)
  await bench.db.database.query(`create table accounts_us partition of accounts for values in ('us')`)
  await bench.db.database.query(`insert into accounts values ('a', 'eu')`)
  const mover = await bench.db.connect()
  await begin(mover, `update accounts set region = 'us' where name = 'a'`)
  await send(bench)
  const handler = afterStatement(() => `update accounts set name = name where name = 'a'`)
  await using consumer = await bench.start({ handler })
  await someoneWaits(bench)
  await mover.query('commit')
  await assertPassed(bench, consumer, '40001')
})

test('a lock on the table of the effects that lasts longer than a batch may wait is waited for', async () => {
  await using bench = await createConsumerBench({ batchTimeoutMs: SHORT_MS })
  const holder = await bench.db.connect()
  await begin(holder, 'lock table ledger_entries')
  await send(bench)
  await using consumer = await bench.start({ handler: ledgerHandler })
  await eventually('the lock timeout', () => codesOf(bench).includes('55P03'))
  await holder.query('commit')
  await assertPassed(bench, consumer, '55P03')
})

test('a statement that takes longer than a batch may is ended by the server, and tried again', async () => {
  await using bench = await createConsumerBench({ batchTimeoutMs: SHORT_MS })
  await send(bench)
  // On a busy machine the deadline of the batch itself may come before the server's a few times.
  const handler = afterStatement(() => (codesOf(bench).includes('57014') ? null : 'select pg_sleep(30)'))
  await using consumer = await bench.start({ handler })
  await assertPassed(bench, consumer, '57014')
})

test('a session that the server ends for idling in its transaction is replaced', async () => {
  await using bench = await createConsumerBench()
  const first = pausedFirst(`set local idle_in_transaction_session_timeout = '50ms'`, 'select 1')
  await send(bench)
  await using consumer = await bench.start({ handler: first.handler })
  await first.paused
  await eventually('the server to end the session', async () => {
    const { rows } = await bench.db.database.query(
      `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    )
    return rows.length === 0
  })
  first.goOn()
  // The server's last word came while nobody asked; the next statement finds no connection.
  await assertPassed(bench, consumer, null)
})

test('a limit of the server on temporary files, which is a resource like a disk, is waited out', async () => {
  await using bench = await createConsumerBench()
  await send(bench)
  // More than the working memory to sort, on disk, of which nothing may be used.
  const handler = afterStatement((attempt) =>
    attempt === 1
      ? `set local work_mem = '64kB'; set local temp_file_limit = 0;
         select count(*) from (select md5(n::text) as m from generate_series(1, 20000) n order by m) as sorted`
      : null,
  )
  await using consumer = await bench.start({ handler })
  await assertPassed(bench, consumer, '53400')
})

test('a pool all of whose sessions are lent is waited for', async () => {
  await using bench = await createConsumerBench()
  await using database = openDatabase({ ...bench.db.settings, poolSize: 1 }, () => undefined)
  await using consumer = await bench.start({ handler: ledgerHandler, database })
  await bench.send([payment('first')])
  await bench.committed(1)
  await database.withSession(async () => {
    await send(bench)
    await eventually('it to have no session', () => codesOf(bench).length > 0)
  })
  await bench.committed(1 + IDS.length)
  await assertEachOnce(bench.db.database, ['first', ...IDS])
  assert.deepEqual(consumer.told.waits, [])
})

test('cancels that hit any statement, BEGIN and COMMIT among them, cost no event', async (t) => {
  await using bench = await createConsumerBench({ batchRows: 50 })
  const victim = { ...bench.db.settings, applicationName: 'daymark:victim' }
  await using database = openDatabase(victim, () => undefined)
  const ids = eventIds('evt', 5_000)
  await bench.send(ids.map((id) => payment(id)))
  {
    await using consumer = await bench.start({ handler: ledgerHandler, database })
    const storm = await bench.db.connect()
    // At most one a millisecond, and 4,000 in all: the last attempts meet no more of them.
    for (let cancels = 0; cancels < 4_000 && consumer.told.processed < ids.length; cancels++) {
      await storm.query(
        `select pg_cancel_backend(pid), pg_sleep(0.001) from pg_stat_activity
          where datname = current_database() and application_name = 'daymark:victim' and state = 'active'`,
      )
    }
    await bench.committed(ids.length)
    assert.deepEqual(consumer.told.waits, [])
  }
  t.diagnostic(`${codesOf(bench).filter((code) => code === '57014').length} attempts were cancelled`)
  assert.ok(codesOf(bench).includes('57014'))
  await assertEachOnce(bench.db.database, ids)
  assert.deepEqual(await bench.deadLetters(), [])
})
