import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import type { Handler } from '../../src/consumer/handler.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { assertEachOnce } from '../support/ledger.ts'
import { startOwnKafka } from '../support/own-kafka.ts'
import { eventIds, payment } from '../support/payments.ts'

/** Longer than the session of a member, which is what these tests are about. */
const LONG_MS = 8_000

test('a broker that answers nothing for longer than a session costs no event, and none takes effect twice', async () => {
  await using own = await startOwnKafka()
  await using bench = await createConsumerBench({ partitions: 2, batchRows: 20 }, own.kafka)
  const ids = eventIds('evt', 4_000)
  await using consumer = await bench.start({ handler: ledgerHandler })
  await bench.send(ids.map((id, number) => payment(id, { partition: number % 2 })))
  await eventually('it to be under way', () => consumer.told.processed > 0)
  own.freeze()
  const frozenAt = performance.now()
  await eventually('the silence to outlast a session', () => performance.now() - frozenAt > LONG_MS)
  own.thaw()
  await bench.committed(ids.length, 60_000)
  await assertEachOnce(bench.db.database, ids)
  assert.deepEqual(await bench.deadLetters(), [])
})

test('a batch that takes longer than a session keeps its member in the group, and is recorded once', async () => {
  await using bench = await createConsumerBench()
  let calls = 0
  let assignments = 0
  const handler: Handler = {
    kind: 'batch',
    async apply(events, tx) {
      calls += 1
      await tx.query('select pg_sleep($1::double precision)', [LONG_MS / 1_000])
      if (ledgerHandler.kind === 'batch') await ledgerHandler.apply(events, tx)
    },
  }
  await bench.send([payment('slow')])
  await using _consumer = await bench.start({ handler, observer: { assigned: () => void assignments++ } })
  await bench.committed(1)
  await assertEachOnce(bench.db.database, ['slow'])
  assert.deepEqual({ calls, assignments }, { calls: 1, assignments: 1 })
})
