import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { eventIds, payment } from '../support/payments.ts'
import { startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { createTestTopics } from '../support/test-topic.ts'

test('a slow topic partition does not slow down the others, and loses nothing', async () => {
  await using db = await createTestDatabase()
  await using topics = await createTestTopics()
  const topic = await topics.create(2)
  const gate = Promise.withResolvers<void>()
  const handled: string[][] = [[], []]
  await topics.producer.send(topic, [
    payment('slow-1', { partition: 0 }),
    payment('quick-0', { partition: 1 }),
  ])
  await using consumer = await startTestConsumer({
    settings: testSettings({ topics: [topic] }),
    handler: {
      kind: 'batch',
      async apply(events) {
        if (events.some(({ eventId }) => eventId === 'slow-1')) await gate.promise
        for (const { eventId, partition } of events) handled[partition]?.push(eventId)
      },
    },
    database: db.database,
    kafka: topics.kafka,
  })
  await eventually('the quick one to be handled', () => handled[1]?.length === 1)

  const quick = eventIds('quick', 500).map((id) => payment(id, { partition: 1 }))
  await topics.producer.send(topic, quick)
  await topics.producer.send(topic, [payment('slow-2', { partition: 0 })])
  await eventually('the quick partition to go on', () => handled[1]?.length === 501)
  assert.deepEqual(handled[0], [])

  gate.resolve()
  await eventually('the slow partition to follow', () => handled[0]?.length === 2)
  assert.deepEqual(handled[0], ['slow-1', 'slow-2'])
  await eventually('no lag', () => consumer.snapshot().partitions.every(({ lag }) => lag === 0))
})

test('a handler that never returns is cut off in time, and others are not held up by it', async () => {
  await using db = await createTestDatabase()
  await using topics = await createTestTopics()
  const topic = await topics.create(1)
  await topics.producer.send(topic, [payment('evt-1')])
  let calls = 0
  await using _consumer = await startTestConsumer({
    settings: testSettings({ topics: [topic], batchTimeoutMs: 1_500 }),
    handler: {
      kind: 'batch',
      async apply(_events, tx) {
        calls += 1
        await tx.query('create table if not exists attempts (number integer)')
        if (calls === 1) await new Promise(() => undefined)
      },
    },
    database: db.database,
    kafka: topics.kafka,
  })
  await eventually('the second attempt', () => calls === 2)
  await eventually('the marker', async () => {
    const { rows } = await db.database.query('select from daymark.processed_events')
    return rows.length === 1
  })
})
