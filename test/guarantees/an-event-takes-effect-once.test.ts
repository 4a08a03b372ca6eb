import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { appliedIds, assertEachOnce, eventuallyApplied, markedIds } from '../support/ledger.ts'
import { eventIds, payment } from '../support/payments.ts'
import { recordAtOnce } from '../support/record-at-once.ts'
import { ledgerEffect, newGroup } from '../support/test-consumer.ts'

const NOON = Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`)

for (const [form, handler] of [
  ['a statement', ledgerEffect],
  ['TypeScript', ledgerHandler],
] as const) {
  test(`after a rewind to the earliest offset nothing is applied again, by ${form}`, async () => {
    await using bench = await createConsumerBench({ partitions: 3 })
    const ids = eventIds('evt', 3_000)
    await bench.send(ids.map((id, number) => payment(id, { partition: number % 3 })))
    {
      await using _consumer = await bench.start({ handler })
      await bench.committed(3_000)
    }
    await bench.rewind()
    await using consumer = await bench.start({ handler })
    await bench.committed(3_000)
    assert.deepEqual([consumer.told.processed, consumer.told.redelivered], [0, 3_000])
    await assertEachOnce(bench.db.database, ids)
  })

  test(`two that record the same records at the same time apply each once, by ${form}`, async () => {
    await using bench = await createConsumerBench()
    const ids = eventIds('evt', 2_000)
    const records = ids.map((id) => payment(id, { timestampMs: NOON }))
    const same = { topic: 'payments', partition: 0, records }
    const processed = await recordAtOnce(bench.db.database, bench.settings, handler, [same, same, same])
    assert.equal(
      processed.reduce((sum, count) => sum + count),
      2_000,
    )
    await assertEachOnce(bench.db.database, ids)
  })

  test(`copies in several partitions at the same time, in opposite orders, take effect once, by ${form}`, async () => {
    await using bench = await createConsumerBench({ batchRows: 100 })
    const ids = eventIds('evt', 1_000)
    const records = ids.map((id) => payment(id, { timestampMs: NOON }))
    const deliveries = [records, records.toReversed(), records].map((some, partition) => {
      return { topic: 'payments', partition, records: some }
    })
    const processed = await recordAtOnce(bench.db.database, bench.settings, handler, deliveries)
    assert.equal(
      processed.reduce((sum, count) => sum + count),
      1_000,
    )
    await assertEachOnce(bench.db.database, ids)
  })
}

test('copies inside one batch take effect once, and so does one that is published again later', async () => {
  await using bench = await createConsumerBench()
  const copy = (id: string) => payment(id, { timestampMs: NOON })
  await bench.send(['a', 'b', 'a', 'a', 'c'].map(copy))
  await using consumer = await bench.start()
  await bench.committed(5)
  await bench.send(['b', 'd'].map(copy))
  await bench.committed(7)
  await assertEachOnce(bench.db.database, ['a', 'b', 'c', 'd'])
  assert.deepEqual([consumer.told.processed, consumer.told.republished], [4, 3])
})

test('a copy in another partition, or in another topic of the group, takes no effect', async () => {
  await using bench = await createConsumerBench({ partitions: 2 })
  const second = await bench.topics.create(1)
  const ids = eventIds('evt', 100)
  for (const partition of [0, 1]) {
    await bench.send(ids.map((id) => payment(id, { partition, timestampMs: NOON })))
  }
  await bench.send(
    ids.map((id) => payment(id, { timestampMs: NOON })),
    second,
  )
  await using consumer = await bench.start({ settings: { topics: [bench.topic, second] } })
  await eventually('every record', () => consumer.told.processed + consumer.told.republished === 300)
  await assertEachOnce(bench.db.database, ids)
})

test('where the topic belongs to the id, the same id in two topics is two events, each of them applied once', async () => {
  await using bench = await createConsumerBench({ idScope: 'topic' })
  const second = await bench.topics.create(1)
  const records = ['a', 'b', 'a'].map((id) => payment(id, { timestampMs: NOON }))
  await bench.send(records)
  await bench.send(records, second)
  await using consumer = await bench.start({ settings: { topics: [bench.topic, second] } })
  await eventually('every record', () => consumer.told.processed + consumer.told.republished === 6)
  const wanted = ['a', 'b'].flatMap((id) => [`${bench.topic}/${id}`, `${second}/${id}`])
  await assertEachOnce(bench.db.database, wanted)
})

test('two groups that read one topic into one database each apply every event once', async () => {
  await using bench = await createConsumerBench()
  const ids = eventIds('evt', 200)
  await bench.send(ids.map((id) => payment(id, { timestampMs: NOON })))
  await using one = await bench.start()
  await using other = await bench.start({ settings: { group: newGroup() } })
  await eventually('both', () => one.told.processed === 200 && other.told.processed === 200)
  await eventuallyApplied(bench.db.database, 200)
  assert.deepEqual(
    await appliedIds(bench.db.database),
    ids.flatMap((id) => [id, id]),
  )
  assert.deepEqual(
    await markedIds(bench.db.database),
    ids.flatMap((id) => [id, id]),
  )
})
