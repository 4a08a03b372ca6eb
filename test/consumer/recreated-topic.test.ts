import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { appliedIds, assertEachOnce } from '../support/ledger.ts'
import { eventIds, payment } from '../support/payments.ts'
import { createTestTopics } from '../support/test-topic.ts'

/** How many records the new topic has; the old one had 100. */
const LENGTHS = { shorter: 30, longer: 300 }

/** A topic of two partitions whose hundred records have been read. */
async function createReadTopic() {
  const bench = await createConsumerBench({ partitions: 2 })
  const ids = eventIds('old', 100)
  {
    await using _consumer = await bench.start({ handler: ledgerHandler })
    await bench.send(ids.map((id, number) => payment(id, { partition: number % 2 })))
    await bench.committed(ids.length)
  }
  return { bench, ids }
}

async function makeAnew({ topics, topic }: ConsumerBench): Promise<void> {
  await topics.admin.deleteTopic(topic)
  await topics.admin.createTopic({ topic, partitions: 2, settings: { 'retention.ms': '-1' } })
}

/** By a producer of its own: one that knows the old topic holds on to it for a while. */
async function sendToNew({ topic }: ConsumerBench, ids: readonly string[]): Promise<void> {
  await using topics = await createTestTopics()
  await topics.producer.send(
    topic,
    ids.map((id, number) => payment(id, { partition: number % 2 })),
  )
}

describe('a topic that is deleted and made anew under a running consumer is read from its first record', () => {
  for (const [name, length] of Object.entries(LENGTHS)) {
    test(`where the new one is ${name}`, async () => {
      const { bench, ids } = await createReadTopic()
      await using _ = bench
      await using consumer = await bench.start({ handler: ledgerHandler })
      await eventually('it to read', () => consumer.snapshot().partitions.length === 2)
      await makeAnew(bench)
      const later = eventIds('new', length)
      await sendToNew(bench, later)
      await eventually('all of it to be applied, a minute later at most', async () => {
        await consumer.lookBehind()
        return (await appliedIds(bench.db.database)).length === ids.length + length
      })
      await bench.committed(length)
      await assertEachOnce(bench.db.database, [...ids, ...later])
    })
  }
})

test('a topic that is made anew while nobody reads it is read from its first record, also where the old place is committed', async () => {
  const { bench, ids } = await createReadTopic()
  await using _ = bench
  await makeAnew(bench)
  const later = eventIds('new', 300)
  await sendToNew(bench, later)
  // As a member would have left it that read on in the new topic, and ended before it looked behind.
  const left = [0, 1].map((partition) => ({ partition, offset: '50' }))
  await bench.topics.admin.setCommittedOffsets(bench.settings.group, bench.topic, left)
  await using _consumer = await bench.start({ handler: ledgerHandler })
  await bench.committed(later.length)
  await assertEachOnce(bench.db.database, [...ids, ...later])
})

test('records that the new topic has lost before they were read are counted as lost, and those alone', async () => {
  const { bench, ids } = await createReadTopic()
  await using _ = bench
  await makeAnew(bench)
  const later = eventIds('new', 20)
  await sendToNew(bench, later)
  await bench.topics.admin.deleteRecords(bench.topic, [{ partition: 0, offset: '4' }])
  await using consumer = await bench.start({
    handler: ledgerHandler,
    settings: { onLostRecords: 'continue' },
  })
  await bench.committed(later.length)
  assert.deepEqual(consumer.told.lost, [4])
  const kept = later.filter((_, number) => number % 2 === 1 || number >= 8)
  await assertEachOnce(bench.db.database, [...ids, ...kept])
})
