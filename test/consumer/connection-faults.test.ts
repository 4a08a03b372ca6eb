import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import { seededRandom } from '../../examples/payments/seeded-random.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { type Break, openCommitProxy } from '../support/commit-proxy.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { appliedIds, assertEachOnce, eventuallyApplied } from '../support/ledger.ts'
import { eventIds, payment } from '../support/payments.ts'
import { ledgerEffect } from '../support/test-consumer.ts'

/** How the second attempt finds the events: new, or as redeliveries of what the first did commit after all. */
const BREAKS: Record<Break, 'processed' | 'redelivered'> = {
  before: 'processed',
  during: 'redelivered',
  after: 'redelivered',
}

for (const [form, handler] of [
  ['a statement', ledgerEffect],
  ['TypeScript', ledgerHandler],
] as const) {
  describe(`a connection that is cut leaves every event applied once, by ${form}, where it is cut`, () => {
    for (const [where, outcome] of Object.entries(BREAKS)) {
      test(`${where} COMMIT`, async () => {
        await using bench = await createConsumerBench()
        // COMMIT takes a while, in which the next attempt begins: it has to wait for the old backend.
        await bench.db.database.query(
          `create function doze() returns trigger language plpgsql as $$ begin perform pg_sleep(0.02); return null; end $$;
           create constraint trigger doze after insert on ledger_entries deferrable initially deferred
             for each row execute function doze()`,
        )
        await using proxy = await openCommitProxy(bench.db.settings.url ?? '')
        await using database = openDatabase({ ...bench.db.settings, url: proxy.url }, () => undefined)
        const ids = eventIds('evt', 50)
        {
          await using consumer = await bench.start({ handler, database })
          await bench.send([payment('first')])
          await bench.committed(1)
          const struck = proxy.arm(where as Break)
          await bench.send(ids.map((id) => payment(id)))
          await struck
          await bench.committed(51)
          assert.equal(consumer.told[outcome], outcome === 'processed' ? 51 : 50)
        }
        await assertEachOnce(bench.db.database, ['first', ...ids])
        assert.deepEqual(await bench.deadLetters(), [])
      })
    }
  })
}

test('backends that are terminated at random moments cost no event, and offsets never run ahead of the database', async (t) => {
  const seed = 5
  t.diagnostic(`seed ${seed}`)
  const random = seededRandom(seed)
  await using bench = await createConsumerBench({ partitions: 3, batchRows: 200 })
  const victim = { ...bench.db.settings, applicationName: 'daymark:victim' }
  await using database = openDatabase(victim, () => undefined)
  const ids = eventIds('evt', 30_000)
  {
    await using _consumer = await bench.start({ handler: ledgerHandler, database })
    for (let round = 0; round < 30; round++) {
      const piece = ids.slice(round * 1_000, (round + 1) * 1_000)
      await bench.send(piece.map((id, number) => payment(id, { partition: number % 3 })))
      await eventuallyApplied(bench.db.database, Math.floor((round + random()) * 1_000))
      await bench.db.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'daymark:victim'`,
      )
      const committed = await bench.topics.admin.fetchCommittedOffsets(bench.settings.group, bench.topic)
      const { rows } = await bench.db.database.query<{ partition: number; nextOffset: string }>(
        'select partition, next_offset as "nextOffset" from daymark.consumer_progress',
      )
      for (const { partition, offset } of committed) {
        const progress = rows.find((row) => row.partition === partition)?.nextOffset
        assert.ok(Number(offset ?? 0) <= Number(progress ?? 0), `${offset} is ahead of ${progress}`)
      }
    }
    await eventuallyApplied(bench.db.database, ids.length)
    await bench.committed(ids.length)
  }
  await assertEachOnce(bench.db.database, ids)
  assert.deepEqual(await bench.deadLetters(), [])
})

describe('what passes by itself is tried again, sets nothing aside and waits for nobody', () => {
  const passing = {
    'a deadlock': '40P01',
    'a serialization failure': '40001',
    'a lock that is not to be had': '55P03',
    'a full disk': '53100',
    'too many connections': '53300',
    'a cancelled statement': '57014',
    'a server that shuts down': '57P01',
    'a lost connection': '08006',
  }
  for (const [name, sqlstate] of Object.entries(passing)) {
    test(name, async () => {
      await using bench = await createConsumerBench()
      await bench.db.database.query(
        `create sequence tries;
         create function fail_twice() returns trigger language plpgsql as $$
         begin
           if nextval('tries') <= 2 then raise exception 'not now' using errcode = '${sqlstate}'; end if;
           return null;
         end $$;
         create trigger fail_twice after insert on ledger_entries for each statement execute function fail_twice()`,
      )
      const ids = eventIds('evt', 20)
      await bench.send(ids.map((id) => payment(id)))
      await using consumer = await bench.start()
      await bench.committed(20)
      await assertEachOnce(bench.db.database, ids)
      assert.deepEqual(await bench.deadLetters(), [])
      assert.deepEqual(consumer.told.waits, [])
    })
  }
})

test('a database that becomes read only makes its topic partitions wait, and they go on when it takes writes', async () => {
  await using bench = await createConsumerBench()
  const { name, database } = bench.db
  const session = await bench.db.connect()
  await using consumer = await bench.start({ handler: ledgerHandler })
  await bench.send([payment('first')])
  await bench.committed(1)
  const setReadOnly = async (value: string): Promise<void> => {
    await session.query('set default_transaction_read_only = off')
    await session.query(`alter database ${name} set default_transaction_read_only = ${value}`)
    await session.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
  }
  await setReadOnly('on')
  await bench.send([payment('second')])
  await eventually('it to wait', () => consumer.told.waits.includes('read-only-database'))
  await session.query(`alter database ${name} set default_transaction_read_only = off`)
  await bench.committed(2)
  assert.deepEqual(await appliedIds(database), ['first', 'second'])
  assert.deepEqual(await bench.deadLetters(), [])
})

test('an error that ends kafkajs, or a batch that has gone aside, is survived, and no event is lost or doubled', async () => {
  await using bench = await createConsumerBench({ partitions: 2 })
  const ids = eventIds('evt', 2_000)
  let isDue = true
  function failOnce(): void {
    if (!isDue) return
    isDue = false
    // kafkajs takes a TypeError for a fault of the program, and ends for good.
    throw new TypeError('of the observer')
  }
  await bench.send(ids.map((id, number) => payment(id, { partition: number % 2 })))
  await using _consumer = await bench.start({ observer: { batchRecorded: failOnce } })
  await bench.committed(2_000)
  await assertEachOnce(bench.db.database, ids)
  const told = bench.log.lines.filter(({ sentence }) => /membership ended|partition waits/.test(sentence))
  assert.ok(told.length > 0)
})
