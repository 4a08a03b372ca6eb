import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openKafkaAdmin } from '../../src/kafka/kafka-admin.ts'
import { kafkaFailureOf } from '../../src/kafka/kafka-error.ts'
import { freePort } from '../../src/local/free-port.ts'
import { silentLog } from '../../src/process/log.ts'
import { eventually } from '../support/eventually.ts'
import { payment } from '../support/payments.ts'
import { newGroup } from '../support/test-consumer.ts'
import { createTestTopics } from '../support/test-topic.ts'

const topics = await createTestTopics()
after(() => topics[Symbol.asyncDispose]())
const { admin, producer } = topics

test('marks are the first offset and the one after the last, by partition in order', async () => {
  const topic = await topics.create(3)
  await producer.send(topic, [
    payment('a', { partition: 2 }),
    payment('b', { partition: 2 }),
    payment('c', { partition: 0 }),
  ])
  assert.deepEqual(await admin.fetchMarks(topic), [
    { partition: 0, low: '0', high: '1' },
    { partition: 1, low: '0', high: '0' },
    { partition: 2, low: '0', high: '2' },
  ])
})

test('the low mark moves with the records that are deleted', async () => {
  const topic = await topics.create(1)
  await producer.send(topic, [payment('a'), payment('b'), payment('c')])
  await admin.deleteRecords(topic, [{ partition: 0, offset: '2' }])
  assert.deepEqual(await admin.fetchMarks(topic), [{ partition: 0, low: '2', high: '3' }])
})

test('a topic that is not there has no marks and no settings, and is said so within half a minute', async () => {
  const before = performance.now()
  assert.equal(await admin.fetchMarks('nowhere'), null)
  assert.equal(await admin.fetchTopicSettings('nowhere'), null)
  assert.ok(performance.now() - before < 30_000)
})

test('a topic that is made anew has another id, and one that is not there has none', async () => {
  const topic = await topics.create(2)
  const id = await admin.fetchTopicId(topic)
  assert.match(id ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.equal(await admin.fetchTopicId(topic), id)
  assert.notEqual(await admin.fetchTopicId(await topics.create(1)), id)
  await admin.deleteTopic(topic)
  await eventually('it to be gone', async () => (await admin.fetchTopicId(topic)) === null)
  await admin.createTopic({ topic, partitions: 2 })
  assert.notEqual(await admin.fetchTopicId(topic), id)
})

test('asking for a topic that is not there does not make it', async () => {
  await admin.fetchMarks('nowhere-either')
  await admin.fetchTopicId('nowhere-either')
  assert.equal(await admin.fetchTopicSettings('nowhere-either'), null)
})

test('the offset at an instant is the first, in offset order, that is not before it', async () => {
  const topic = await topics.create(1)
  const hour = (number: number): number => Date.UTC(2026, 7, 1, number)
  await producer.send(
    topic,
    [5, 6, 2, 7].map((number) => payment(`h-${number}`, { timestampMs: hour(number) })),
  )
  const offsetAt = async (number: number): Promise<string | undefined> =>
    (await admin.fetchOffsetsAt(topic, hour(number)))[0]?.offset
  // The record of 2 o'clock is still there: this is no proof of what is gone.
  assert.equal(await offsetAt(3), '0')
  assert.equal(await offsetAt(6), '1')
  assert.equal(await offsetAt(7), '3')
  assert.equal(await offsetAt(8), '4')
})

test('what a group has committed is known by partition, and null where that is nothing', async () => {
  const topic = await topics.create(2)
  const group = newGroup()
  assert.deepEqual(await admin.fetchCommittedOffsets(group, topic), [
    { partition: 0, offset: null },
    { partition: 1, offset: null },
  ])
  await admin.setCommittedOffsets(group, topic, [{ partition: 1, offset: '9007199254740993' }])
  const committed = await admin.fetchCommittedOffsets(group, topic)
  assert.deepEqual(
    committed.toSorted((a, b) => a.partition - b.partition),
    [
      { partition: 0, offset: null },
      { partition: 1, offset: '9007199254740993' },
    ],
  )
})

test('a topic can grow, and a deleted one is gone', async () => {
  const topic = await topics.create(1)
  await admin.growTopic(topic, 3)
  await eventually('three partitions', async () => (await admin.fetchMarks(topic))?.length === 3)
  await admin.deleteTopic(topic)
  await eventually('the topic to be gone', async () => (await admin.fetchTopicSettings(topic)) === null)
})

test('a broker that is not there is unreachable', async () => {
  const settings = { brokers: [`127.0.0.1:${await freePort()}`], clientId: 'daymark-test' }
  await assert.rejects(
    openKafkaAdmin(settings, silentLog),
    (error) => kafkaFailureOf(error) === 'unreachable',
  )
})
