import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import { seededRandom } from '../../examples/payments/seeded-random.ts'
import type { Handler } from '../../src/consumer/handler.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { appliedIds, assertEachOnce, eventuallyApplied } from '../support/ledger.ts'
import { startOwnKafka } from '../support/own-kafka.ts'
import { eventIds, payment } from '../support/payments.ts'
import { stopAtRandomMoments } from '../support/stop-at-random-moments.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'

/** A rollback may take this much longer than the stop was given. */
const ROLLBACK_MS = 2_500

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now()
  await work()
  return performance.now() - beganAt
}

test('a stop under load finishes the batch in hand and commits its offset: nothing is lost, nothing comes again', async () => {
  await using bench = await createConsumerBench({ partitions: 3, batchRows: 200 })
  const random = seededRandom(3)
  const ids = eventIds('evt', 20_000)
  for (const half of [ids.slice(0, 10_000), ids.slice(10_000)]) {
    await bench.send(half.map((id, number) => payment(id, { partition: number % 3 })))
  }
  let applied = 0
  let redelivered = 0
  for (let round = 0; round < 10; round++) {
    await using consumer = await bench.start({ handler: ledgerHandler })
    applied += Math.floor(random() * 1_500)
    await eventuallyApplied(bench.db.database, applied)
    const tookMs = await msOf(() => consumer.stop())
    assert.ok(tookMs < 5_000, `stopping took ${Math.round(tookMs)} ms`)
    redelivered += consumer.told.redelivered
    applied = (await appliedIds(bench.db.database)).length
    // What the database has committed, the broker knows of.
    await bench.committed(applied)
  }
  await using _last = await bench.start({ handler: ledgerHandler })
  await eventuallyApplied(bench.db.database, ids.length)
  await assertEachOnce(bench.db.database, ids)
  assert.equal(redelivered, 0)
})

test('a handler that never returns is cut off when the time for a stop is over, and what it wrote is rolled back', async () => {
  await using bench = await createConsumerBench({ shutdownTimeoutMs: 1_500 })
  let isInHand = false
  const handler: Handler = {
    kind: 'batch',
    async apply(events, tx) {
      if (ledgerHandler.kind === 'batch') await ledgerHandler.apply(events, tx)
      isInHand = true
      await new Promise(() => undefined)
    },
  }
  await using consumer = await bench.start({ handler })
  await bench.send([payment('evt')])
  await eventually('the handler to hang', () => isInHand)
  const tookMs = await msOf(() => consumer.stop())
  assert.ok(tookMs >= 1_400 && tookMs < 1_500 + ROLLBACK_MS, `stopping took ${Math.round(tookMs)} ms`)
  await eventually('the transaction to be gone', async () => {
    const { rows } = await bench.db.database.query(
      `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    )
    return rows.length === 0
  })
  assert.deepEqual(await appliedIds(bench.db.database), [])
  await using _next = await bench.start({ handler: ledgerHandler })
  await eventuallyApplied(bench.db.database, 1)
})

test('a database that does not answer holds up a stop no longer than asked', async () => {
  await using bench = await createConsumerBench({ shutdownTimeoutMs: 1_500 })
  await using proxy = await openTcpProxy(bench.db.settings.url ?? '')
  const database = openDatabase({ ...bench.db.settings, url: proxy.url }, () => undefined)
  await using consumer = await bench.start({ database })
  await bench.send([payment('first')])
  await bench.committed(1)
  proxy.hold()
  const said = proxy.sent().length
  await bench.send([payment('second')])
  await eventually('the batch to be in hand', () => proxy.sent().length > said)
  const tookMs = await msOf(() => consumer.stop())
  assert.ok(tookMs >= 1_400 && tookMs < 1_500 + ROLLBACK_MS, `stopping took ${Math.round(tookMs)} ms`)
  proxy.cut()
  await database.end()
})

test('a broker that is gone holds up a stop no longer than asked, and what was committed stays', async () => {
  await using own = await startOwnKafka()
  await using bench = await createConsumerBench({ shutdownTimeoutMs: 1_500 }, own.kafka)
  await using consumer = await bench.start({ handler: ledgerHandler })
  await bench.send([payment('evt')])
  await bench.committed(1)
  await own.kill()
  const tookMs = await msOf(() => consumer.stop())
  assert.ok(tookMs < 1_500 + ROLLBACK_MS, `stopping took ${Math.round(tookMs)} ms`)
  await assertEachOnce(bench.db.database, ['evt'])
})

test('a topic partition that waits holds up no stop', async () => {
  await using bench = await createConsumerBench({ retryWaitMs: 60_000 })
  await using consumer = await bench.start({ handler: ledgerHandler })
  await bench.db.database.query('drop table ledger_entries')
  await bench.send([payment('evt')])
  await eventually('it to wait', () => consumer.told.waits.length === 2)
  const tookMs = await msOf(() => consumer.stop())
  assert.ok(tookMs < 3_000, `stopping took ${Math.round(tookMs)} ms`)
})

test('a process that is told to stop at random moments ends with 0 in time, and the next one goes on', async () => {
  await stopAtRandomMoments(3, 11)
})
