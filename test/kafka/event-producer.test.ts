import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defineHandler } from '../../src/consumer/handler.ts'
import { idTimeOf } from '../../src/consumer/id-time.ts'
import { createEventProducer, type EventToSend } from '../../src/kafka/event-producer.ts'
import { eventually } from '../support/eventually.ts'
import { startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createTestTopics, type TestTopics } from '../support/test-topic.ts'

let db: TestDatabase
let topics: TestTopics

before(async () => {
  db = await createTestDatabase()
  topics = await createTestTopics()
})

after(async () => {
  await topics[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

function eventOf(key: string, eventId?: string): EventToSend {
  return { key, value: '{}', ...(eventId === undefined ? {} : { eventId }) }
}

/** Reads a topic to its end, following its producers; returns what the observer heard of lost events. */
async function follow(topic: string, records: number, group?: string) {
  const settings = testSettings({
    topics: [topic],
    sequenceHeader: 'event-sequence',
    ...(group && { group }),
  })
  const seen: { eventId: string; partition: number; sequence: unknown }[] = []
  let lost = 0
  const handler = defineHandler({
    async applyEach({ eventId, partition, headers }) {
      seen.push({ eventId, partition, sequence: headers['event-sequence'] })
    },
  })
  await using _consumer = await startTestConsumer({
    settings,
    handler,
    database: db.database,
    kafka: topics.kafka,
    observer: {
      recordsLost({ count }) {
        lost += count
      },
    },
  })
  await eventually('every record to be read', async () => {
    const { rows } = await db.database.query<{ read: string }>(
      `select sum(next_offset) as read from daymark.consumer_progress where consumer_group = $1::text`,
      [settings.group],
    )
    return rows[0]?.read === String(records)
  })
  return { seen, lost, group: settings.group }
}

test('events get ids that grow, and numbers without a gap in every partition', async () => {
  const topic = await topics.create(3)
  await using producer = await createEventProducer({ kafka: topics.kafka, topic, producer: 'payments-api' })
  const sends = Array.from({ length: 30 }, (_, send) =>
    producer.send(Array.from({ length: 10 }, (_each, n) => eventOf(`key-${(send * 10 + n) % 17}`))),
  )
  const ids = (await Promise.all(sends)).flat()
  assert.deepEqual(ids, [...ids].sort())
  assert.equal(new Set(ids).size, 300)
  assert.ok(ids.every((id) => idTimeOf(id) !== null))

  const { seen, lost } = await follow(topic, 300)
  assert.equal(lost, 0)
  for (const [, own] of Map.groupBy(seen, ({ partition }) => partition)) {
    assert.deepEqual(
      own.map(({ sequence }) => Number(String(sequence).split('/')[2])),
      own.map((_, index) => index + 1),
    )
  }
  // The partition follows from the key as with Kafka's own clients: the same key, the same partition.
  await topics.producer.send(topic, [{ key: 'key-5', value: '{}', headers: { 'event-id': 'by-kafkajs' } }])
  const after = await follow(topic, 301)
  const place = after.seen.find(({ eventId }) => eventId === 'by-kafkajs')?.partition
  assert.equal(after.seen.find(({ eventId }) => eventId === ids[5])?.partition, place)
})

test('an id that was used before in its session is refused before anything is sent', async () => {
  const topic = await topics.create(1)
  // The naive way: nothing stops a second event under the id of the first, and the runbook's marker takes it for a
  // duplicate: the payment of 2 is dropped in silence.
  await topics.producer.send(topic, [
    { key: 'k', value: '{"amount":1}', headers: { 'event-id': 'reused' } },
    { key: 'k', value: '{"amount":2}', headers: { 'event-id': 'reused' } },
  ])
  await db.database.query(
    'create table naive_markers (consumer_group text, event_id text, primary key (consumer_group, event_id))',
  )
  const naive = async (): Promise<number | null> =>
    (
      await db.database.query(
        `insert into naive_markers values ('ledger-writer', 'reused') on conflict do nothing`,
      )
    ).rowCount
  assert.deepEqual([await naive(), await naive()], [1, 0])

  await using producer = await createEventProducer({
    kafka: topics.kafka,
    topic,
    producer: 'payments-api',
    rememberedIds: 3,
  })
  await producer.send([eventOf('k', 'a'), eventOf('k', 'b')])
  await assert.rejects(producer.send([eventOf('k', 'c'), eventOf('k', 'a')]), {
    name: 'IdReusedError',
    eventId: 'a',
  })
  await assert.rejects(producer.send([eventOf('k', 'd'), eventOf('k', 'd')]), { code: 'ID_REUSED' })
  // Of a refused send nothing is used: and only the last three are remembered.
  await producer.send([eventOf('k', 'c'), eventOf('k', 'd')])
  await producer.send([eventOf('k', 'a')])
  const [mark] = (await topics.admin.fetchMarks(topic)) ?? []
  assert.equal(mark?.high, '7')
  await follow(topic, 7)
  const { rows } = await db.database.query(
    `select reason from daymark.dead_letters where topic = $1::text and event_id = 'reused'`,
    [topic],
  )
  assert.deepEqual(rows, [{ reason: 'id-reused' }])
})

test('events that are missing in the numbering are counted once, also by the next consumer and across a restart', async () => {
  const topic = await topics.create(1)
  let serial = 0
  const numbered = (...texts: string[]) =>
    topics.producer.send(
      topic,
      texts.map((text) => ({
        key: 'k',
        value: '{}',
        partition: 0,
        headers: { 'event-id': `${topic}-${serial++}`, 'event-sequence': text },
      })),
    )
  await numbered('a/1/1', 'a/1/2', 'garbage', 'a/1/5', 'a/1/5')
  const first = await follow(topic, 5)
  assert.equal(first.lost, 2)
  await numbered('a/1/7', 'a/2/2')
  const second = await follow(topic, 7, first.group)
  assert.equal(second.lost, 2)
  const { rows } = await db.database.query(
    `select producer, session, number, lost_events as lost
       from daymark.producer_sequences where consumer_group = $1::text`,
    [first.group],
  )
  assert.deepEqual(rows, [{ producer: 'a', session: '2', number: '2', lost: '4' }])
})

test("a producer's name that would not be read back is refused", async () => {
  for (const producer of ['', 'a/b', 'x'.repeat(101)]) {
    await assert.rejects(createEventProducer({ kafka: topics.kafka, topic: 't', producer }), {
      name: 'TypeError',
    })
  }
})
