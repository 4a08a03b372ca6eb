import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ConsumerSettings } from '../../src/consumer/consumer-settings.ts'
import { setProgress } from '../../src/consumer/sql/set-progress.ts'
import { eventually } from '../support/eventually.ts'
import { assertEachOnce, createOpenLedger, eventuallyApplied } from '../support/ledger.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { eventIds, payment } from '../support/payments.ts'
import { ledgerEffect, startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createTestTopics, type TestTopics } from '../support/test-topic.ts'
import { writeTransactions } from '../support/transactions.ts'

const ids = eventIds('evt', 100)
let topics: TestTopics
before(async () => {
  topics = await createTestTopics()
})
after(() => topics[Symbol.asyncDispose]())

/** Sends payments of these ids into one partition. */
async function send(topic: string, sent: readonly string[], partition = 0): Promise<void> {
  await topics.producer.send(
    topic,
    sent.map((id) => payment(id, { partition })),
  )
}

/** A consumer that notes what it is told of losses. */
async function startCounting(db: TestDatabase, settings: ConsumerSettings) {
  const counts: number[] = []
  const waits: string[] = []
  const consumer = await startTestConsumer({
    settings,
    handler: ledgerEffect,
    database: db.database,
    kafka: topics.kafka,
    observer: {
      recordsLost: ({ count }) => counts.push(count),
      waiting: ({ reason }) => waits.push(reason),
    },
  })
  return { consumer, counts, waits, [Symbol.asyncDispose]: () => consumer.stop() }
}

/** A group that has read the first ten of 100 events, in partition 0 of a topic with two. */
async function groupWithTenRead(given: Partial<ConsumerSettings> = {}) {
  const db = await createTestDatabase()
  await createOpenLedger(db.database)
  const topic = await topics.create(2)
  const settings = testSettings({ topics: [topic], ...given })
  await send(topic, ids.slice(0, 10))
  {
    await using _reading = await startCounting(db, settings)
    await eventuallyApplied(db.database, 10)
  }
  await send(topic, ids.slice(10))
  return { db, topic, settings, [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() }
}

/** What a person does who gives the records up. */
async function acceptLoss(db: TestDatabase, group: string, topic: string, until: number): Promise<void> {
  const { rows } = await db.database.query<{ lost: number }>(
    `select ($3::bigint - next_offset)::int as lost from daymark.consumer_progress
      where consumer_group = $1::text and topic = $2::text and partition = 0`,
    [group, topic, until],
  )
  const lost = rows[0]?.lost ?? 0
  await setProgress(db.database, { group, topic, partition: 0, nextOffset: String(until), lost })
}

test('records deleted before they were read are counted to the record, and hold their partition until accepted', async () => {
  await using bench = await groupWithTenRead()
  const { db, topic, settings } = bench
  await topics.admin.deleteRecords(topic, [{ partition: 0, offset: '30' }])
  await using reading = await startCounting(db, settings)
  await send(topic, ['other'], 1)
  await eventuallyApplied(db.database, 11)
  // It has looked again and again meanwhile, and counted once.
  await eventually('several looks', () => reading.waits.length >= 4)
  assert.deepEqual(reading.counts, [20])
  assert.equal(reading.consumer.snapshot().partitions[0]?.waitingFor, 'lost-records')
  await assertEachOnce(db.database, [...ids.slice(0, 10), 'other'])

  await acceptLoss(db, settings.group, topic, 30)
  await eventuallyApplied(db.database, 81)
  await assertEachOnce(db.database, [...ids.slice(0, 10), ...ids.slice(30), 'other'])
  await eventually(
    'nothing to wait for',
    () => reading.consumer.snapshot().partitions[0]?.waitingFor === null,
  )
  assert.deepEqual(reading.counts, [20])
})

test('records deleted under a consumer that lags are counted, and those that were left are not passed over', async () => {
  await using bench = await groupWithTenRead()
  const { db, topic, settings } = bench
  const gate = await db.connect()
  await gate.query('begin')
  await gate.query('select from daymark.consumer_progress where partition = 0 for update')
  await using reading = await startCounting(db, { ...settings, batchRows: 20 })
  await eventually('the first batch to be in hand', async () => (await lockWaits(db)) > 0)
  const later = eventIds('later', 50)
  await send(topic, later)
  await topics.admin.deleteRecords(topic, [{ partition: 0, offset: '130' }])
  await gate.query('commit')
  await eventually('the loss', () => reading.counts.length > 0)
  assert.deepEqual(reading.counts, [30])
  await acceptLoss(db, settings.group, topic, 130)
  await eventuallyApplied(db.database, 120)
  await assertEachOnce(db.database, [...ids, ...later.slice(30)])
})

test('records that are lost while others wait to be accepted are counted as well, and none of them twice', async () => {
  await using bench = await groupWithTenRead()
  const { db, topic, settings } = bench
  await topics.admin.deleteRecords(topic, [{ partition: 0, offset: '30' }])
  await using first = await startCounting(db, settings)
  await eventually('the first loss', () => first.counts.length === 1)
  await topics.admin.deleteRecords(topic, [{ partition: 0, offset: '45' }])
  await eventually('the second loss', () => first.counts.length === 2)
  assert.deepEqual(first.counts, [20, 15])
  // A rebalance looks at everything again.
  {
    await using _second = await startCounting(db, settings)
    await eventually('a partition each', () => first.consumer.snapshot().partitions.length === 1)
  }
  await eventually('both partitions back', () => first.consumer.snapshot().partitions.length === 2)
  await eventually('the partition to wait again', () =>
    first.consumer.snapshot().partitions.some(({ waitingFor }) => waitingFor === 'lost-records'),
  )
  assert.deepEqual(first.counts, [20, 15])
})

test('a loss that is held is counted once among the members of a group, and not again by the next process', async () => {
  await using bench = await groupWithTenRead()
  const { db, topic, settings } = bench
  await topics.admin.deleteRecords(topic, [{ partition: 0, offset: '30' }])
  const counted: number[] = []
  {
    await using first = await startCounting(db, settings)
    await eventually('the loss', () => first.counts.length === 1)
    await using second = await startCounting(db, settings)
    await eventually('a partition each', () => second.consumer.snapshot().partitions.length === 1)
    await first.consumer.stop()
    await eventually('the other to hold it', () => second.waits.length >= 2)
    counted.push(...first.counts, ...second.counts)
  }
  await using next = await startCounting(db, settings)
  await eventually('the next one to hold it', () => next.waits.length >= 2)
  assert.deepEqual([...counted, ...next.counts], [20])
})

test('a group that read the topic before, by other means, is told of what it has lost since, and can accept it', async () => {
  await using db = await createTestDatabase()
  await createOpenLedger(db.database)
  const topic = await topics.create(1)
  const settings = testSettings({ topics: [topic] })
  await send(topic, ids)
  await topics.admin.setCommittedOffsets(settings.group, topic, [{ partition: 0, offset: '5' }])
  await topics.admin.deleteRecords(topic, [{ partition: 0, offset: '30' }])
  await using reading = await startCounting(db, settings)
  await eventually('several looks', () => reading.waits.length >= 3)
  assert.deepEqual(reading.counts, [25])
  await acceptLoss(db, settings.group, topic, 30)
  await eventuallyApplied(db.database, 70)
  await assertEachOnce(db.database, ids.slice(30))
})

test('where losses are to be passed they are counted, written down, and reading goes on', async () => {
  await using bench = await groupWithTenRead({ onLostRecords: 'continue' })
  const { db, topic, settings } = bench
  await topics.admin.deleteRecords(topic, [{ partition: 0, offset: '30' }])
  await using reading = await startCounting(db, settings)
  await eventuallyApplied(db.database, 80)
  await assertEachOnce(db.database, [...ids.slice(0, 10), ...ids.slice(30)])
  assert.deepEqual([reading.counts, reading.waits], [[20], []])
  const { rows } = await db.database.query<{ lost: string }>(
    'select lost_records as lost from daymark.consumer_progress where partition = 0',
  )
  assert.equal(rows[0]?.lost, '20')
})

test('gaps that aborted transactions leave are no loss', async () => {
  await using db = await createTestDatabase()
  await createOpenLedger(db.database)
  const topic = await topics.create(1)
  await writeTransactions(topic, [
    { ids: ids.slice(0, 5), ending: 'commit' },
    { ids: ids.slice(5, 20), ending: 'abort' },
    { ids: ids.slice(20, 30), ending: 'commit' },
    { ids: ids.slice(30, 31), ending: 'abort' },
  ])
  const settings = testSettings({ topics: [topic] })
  await using reading = await startCounting(db, settings)
  await eventuallyApplied(db.database, 15)
  await writeTransactions(topic, [
    { ids: ids.slice(31, 32), ending: 'abort' },
    { ids: ids.slice(32, 33), ending: 'commit' },
  ])
  await eventuallyApplied(db.database, 16)
  await assertEachOnce(db.database, [...ids.slice(0, 5), ...ids.slice(20, 30), ...ids.slice(32, 33)])
  assert.deepEqual([reading.counts, reading.waits], [[], []])
  await eventually('no lag', () => reading.consumer.snapshot().partitions[0]?.lag === 0)
})

test('gaps that compaction leaves are no loss', async () => {
  await using db = await createTestDatabase()
  await createOpenLedger(db.database)
  const topic = await topics.create(1, {
    'cleanup.policy': 'compact',
    'segment.ms': '200',
    'min.cleanable.dirty.ratio': '0.001',
    'min.compaction.lag.ms': '0',
    'max.compaction.lag.ms': '500',
  })
  // One key: of those in closed segments, the last alone stays.
  await send(topic, ids.slice(0, 40))
  await eventually(
    'the broker to compact the log',
    async () => {
      await send(topic, ids.slice(-1))
      const seen: string[] = []
      await using own = await createTestDatabase()
      await createOpenLedger(own.database)
      await using reading = await startCounting(own, testSettings({ topics: [topic] }))
      await eventually('the end of the log', async () => {
        const { rows } = await own.database.query<{ id: string }>('select event_id as id from ledger_entries')
        seen.splice(0, seen.length, ...rows.map(({ id }) => id))
        return seen.includes(ids.at(-1) ?? '')
      })
      assert.deepEqual([reading.counts, reading.waits], [[], []])
      return seen.length < 41
    },
    40_000,
  )
})
