import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { produceOneBatch } from '../support/produce-one-batch.ts'
import { createLedger, startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { createTestTopics } from '../support/test-topic.ts'

test('one record batch of 200,000 records is read', async () => {
  await using db = await createTestDatabase()
  await using topics = await createTestTopics()
  await createLedger(db.database)
  const topic = await topics.create(1, { 'max.message.bytes': '100000000' })
  await produceOneBatch(topic, 200_000)
  let handled = 0
  await using _consumer = await startTestConsumer({
    settings: testSettings({ topics: [topic], eventId: { kind: 'key' } }),
    handler: {
      kind: 'batch',
      apply: async (events) => {
        handled += events.length
      },
    },
    database: db.database,
    kafka: topics.kafka,
  })
  await eventually('every record', () => handled >= 200_000, 60_000)
  assert.equal(handled, 200_000)
})
