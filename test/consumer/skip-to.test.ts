import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defineHandler } from '../../src/consumer/handler.ts'
import { acceptLoss } from '../../src/consumer/sql/accept-loss.ts'
import { setFloor } from '../../src/consumer/sql/set-floor.ts'
import { eventually } from '../support/eventually.ts'
import { eventIds, payment } from '../support/payments.ts'
import { createLedger, ledgerEffect, startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createTestTopics, type TestTopics } from '../support/test-topic.ts'

let db: TestDatabase
let topics: TestTopics

before(async () => {
  db = await createTestDatabase()
  topics = await createTestTopics()
  await createLedger(db.database)
})

after(async () => {
  await topics[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

async function topicWith(ids: readonly string[]): Promise<string> {
  const topic = await topics.create(1)
  await topics.producer.send(
    topic,
    ids.map((id) => payment(id, { partition: 0 })),
  )
  return topic
}

async function ledgerOf(prefix: string): Promise<string[]> {
  const { rows } = await db.database.query<{ id: string }>(
    `select event_id as id from ledger_entries where starts_with(event_id, $1::text) order by 1`,
    [prefix],
  )
  return rows.map(({ id }) => id)
}

async function progressOf(topic: string) {
  const { rows } = await db.database.query<{ next: string; lost: string; floor: string | null }>(
    `select next_offset as next, lost_records as lost, floor
       from daymark.consumer_progress where topic = $1::text`,
    [topic],
  )
  return rows[0]
}

test('a running consumer that waits skips to the floor at its next look', async () => {
  const ids = eventIds('skip', 10)
  const topic = await topicWith(ids)
  const settings = testSettings({ topics: [topic], batchRows: 1 })
  const seen: string[] = []
  const broken = defineHandler({
    async apply(events, tx) {
      if (events.some(({ offset }) => offset === '3')) await tx.query('select from no_such_table')
      for (const { offset } of events) seen.push(offset)
    },
  })
  const parts = { settings, handler: broken, database: db.database, kafka: topics.kafka }
  await using consumer = await startTestConsumer(parts)
  await eventually('it to wait', () => consumer.snapshot().partitions[0]?.waitingFor ?? false)
  await setFloor(db.database, { group: settings.group, topic, partition: 0 }, '7')
  await consumer.lookBehind()
  await eventually('the end', async () => (await progressOf(topic))?.next === '10')
  assert.deepEqual(seen, ['0', '1', '2', '7', '8', '9'])
  assert.deepEqual(await progressOf(topic), { next: '10', lost: '0', floor: '7' })
})

test('a consumer that starts reads from the floor on, at once', async () => {
  const ids = eventIds('floor', 10)
  const topic = await topicWith(ids)
  const settings = testSettings({ topics: [topic] })
  await db.database.query(
    `insert into daymark.consumer_progress (consumer_group, topic, partition, next_offset, floor)
     values ($1::text, $2::text, 0, 2, 6)`,
    [settings.group, topic],
  )
  await topics.admin.setCommittedOffsets(settings.group, topic, [{ partition: 0, offset: '2' }])
  const parts = { settings, handler: ledgerEffect, database: db.database, kafka: topics.kafka }
  await using _consumer = await startTestConsumer(parts)
  await eventually('the end', async () => (await progressOf(topic))?.next === '10')
  assert.deepEqual(await ledgerOf('floor'), ids.slice(6))
})

test('a topic partition that waits for lost records goes on once they are accepted, and counts them once', async () => {
  const ids = eventIds('lost', 10)
  const topic = await topicWith(ids)
  const settings = testSettings({ topics: [topic] })
  const place = { group: settings.group, topic, partition: 0 }
  await db.database.query(
    `insert into daymark.consumer_progress (consumer_group, topic, partition, next_offset)
     values ($1::text, $2::text, 0, 2)`,
    [settings.group, topic],
  )
  await topics.admin.setCommittedOffsets(settings.group, topic, [{ partition: 0, offset: '2' }])
  await topics.admin.deleteRecords(topic, [{ partition: 0, offset: '6' }])
  const parts = { settings, handler: ledgerEffect, database: db.database, kafka: topics.kafka }
  await using consumer = await startTestConsumer(parts)
  await eventually('it to wait', () => consumer.snapshot().partitions[0]?.waitingFor === 'lost-records')
  assert.deepEqual(await ledgerOf('lost'), [])
  assert.deepEqual(await acceptLoss(db.database, place, '6', '10'), { expected: '2', lost: '4' })
  assert.equal(await acceptLoss(db.database, place, '6', '10'), null)
  await eventually('the end', async () => (await progressOf(topic))?.next === '10')
  assert.deepEqual(await ledgerOf('lost'), ids.slice(6))
  assert.equal((await progressOf(topic))?.lost, '4')
})

test('a floor counts as expected, unless it lies beyond the end: then the topic was made anew', async () => {
  const place = { group: 'g', topic: 'anew', partition: 0 }
  await db.database.query(
    `insert into daymark.consumer_progress (consumer_group, topic, partition, next_offset, floor)
     values ('g', 'anew', 0, 10, 40)`,
  )
  assert.deepEqual(await acceptLoss(db.database, place, '50', '60'), { expected: '40', lost: '10' })
  await db.database.query(
    `update daymark.consumer_progress set next_offset = 10, lost_records = 0 where topic = 'anew'`,
  )
  assert.deepEqual(await acceptLoss(db.database, place, '20', '30'), { expected: '10', lost: '10' })
})
