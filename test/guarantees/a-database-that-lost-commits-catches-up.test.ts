import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Handler } from '../../src/consumer/handler.ts'
import type { Database } from '../../src/postgres/database.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { assertEachOnce, createOpenLedger, eventuallyApplied } from '../support/ledger.ts'
import { eventIds, payment } from '../support/payments.ts'
import { openRecordingLog } from '../support/recording-log.ts'
import { ledgerEffect, startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { createTestTopics } from '../support/test-topic.ts'
import { writeTransactions } from '../support/transactions.ts'

/** A group that has recorded 100 events of one partition, and a way to start (another of) its consumers. */
async function groupAtTheEnd() {
  await using stack = new AsyncDisposableStack()
  const db = stack.use(await createTestDatabase())
  const topics = stack.use(await createTestTopics())
  await createOpenLedger(db.database)
  const topic = await topics.create(1)
  const ids = eventIds('evt', 100)
  await topics.producer.send(
    topic,
    ids.map((id) => payment(id)),
  )
  const settings = testSettings({ topics: [topic] })
  const log = openRecordingLog()
  const options = { settings, handler: ledgerEffect, database: db.database, kafka: topics.kafka, log }
  const consumer = stack.use(await startTestConsumer(options))
  await eventuallyApplied(db.database, 100)
  const committed = async (): Promise<string | null | undefined> =>
    (await topics.admin.fetchCommittedOffsets(settings.group, topic))[0]?.offset
  await eventually('the committed offset to reach the end', async () => (await committed()) === '100')
  const held = stack.move()
  const dispose = (): Promise<void> => held.disposeAsync()
  return {
    database: db.database,
    topics,
    topic,
    ids,
    log,
    consumer,
    committed,
    restart: () => startTestConsumer(options),
    [Symbol.asyncDispose]: dispose,
  }
}

/** Takes the database back to where an earlier offset had been recorded, all of it in one go, as a backup would be. */
async function restoreTo(database: Database, offset: number, partition = 0): Promise<void> {
  await database.query(
    `with forgotten as (
       delete from daymark.processed_events where "offset" >= $1::bigint and partition = $2::integer
       returning event_id
     ), undone as (
       delete from ledger_entries using forgotten where ledger_entries.event_id = forgotten.event_id
     )
     update daymark.consumer_progress set next_offset = $1::bigint where partition = $2::integer`,
    [offset, partition],
  )
}

test('a partition that is idle is read again from where the database is, once it is looked at', async () => {
  await using group = await groupAtTheEnd()
  await restoreTo(group.database, 40)
  await group.consumer.lookBehind()
  await eventuallyApplied(group.database, 100)
  await assertEachOnce(group.database, group.ids)
})

test('a partition with traffic finds out in the transaction of its next batch', async () => {
  await using group = await groupAtTheEnd()
  await restoreTo(group.database, 40)
  await group.topics.producer.send(group.topic, [payment('next')])
  await eventuallyApplied(group.database, 101)
  await assertEachOnce(group.database, [...group.ids, 'next'])
})

test('records without an event that are passed do not hide what the database has forgotten', async () => {
  await using group = await groupAtTheEnd()
  await restoreTo(group.database, 40)
  await writeTransactions(group.topic, [{ ids: ['aborted'], ending: 'abort' }])
  await eventually('the aborted records to be passed', async () => (await group.committed()) === '102')
  await group.consumer.lookBehind()
  await eventuallyApplied(group.database, 100)
  await assertEachOnce(group.database, group.ids)
})

test('a consumer that starts on such a database reads from it, although the committed offset is ahead', async () => {
  await using group = await groupAtTheEnd()
  await group.consumer.stop()
  await restoreTo(group.database, 40)
  assert.equal(await group.committed(), '100')
  await using _again = await group.restart()
  await eventuallyApplied(group.database, 100)
  await assertEachOnce(group.database, group.ids)
})

test('a running consumer whose progress is gone altogether reads everything again', async () => {
  await using group = await groupAtTheEnd()
  await restoreTo(group.database, 0)
  await group.database.query('delete from daymark.consumer_progress')
  await group.consumer.lookBehind()
  await eventuallyApplied(group.database, 100)
  await assertEachOnce(group.database, group.ids)
})

test('a database that has forgotten nothing raises no alarm, however often it is looked at meanwhile', async () => {
  await using group = await groupAtTheEnd()
  const { database, consumer, topics, topic, log } = group
  const later = eventIds('later', 200)
  for (const [number, id] of later.entries()) {
    const sent = topics.producer.send(topic, [payment(id)])
    // An answer of the database may be older than the commit that is seen next.
    while (consumer.snapshot().partitions[0]?.nextOffset !== String(101 + number)) {
      await Promise.all([consumer.lookBehind(), consumer.lookBehind(), consumer.lookBehind()])
    }
    await sent
  }
  await eventuallyApplied(database, 300)
  await assertEachOnce(database, [...group.ids, ...later])
  assert.deepEqual(
    log.lines.filter(({ sentence }) => /forgotten commits|is read again/.test(sentence)),
    [],
  )
})

test('records that were fetched before reading began anew, and waited for another partition, skip nothing', async () => {
  await using bench = await createConsumerBench({ partitions: 2, concurrency: 1 })
  const { database } = bench.db
  const gate = Promise.withResolvers<void>()
  let inHand: number | null = null
  let isSlow = false
  const recorded: string[] = []
  const handler: Handler = {
    kind: 'batch',
    async apply(events, tx) {
      if (isSlow) {
        isSlow = false
        inHand = events[0]?.partition ?? null
        await gate.promise
      }
      for (const { eventId } of events)
        await tx.query('insert into ledger_entries (event_id) values ($1)', [eventId])
      recorded.push(...events.map(({ partition, offset }) => `${partition}@${offset}`))
    },
  }
  const ids = eventIds('evt', 20)
  await using consumer = await bench.start({ handler })
  await bench.send(ids.map((id, number) => payment(id, { partition: number % 2 })))
  await bench.committed(20)
  isSlow = true
  await bench.send([payment('next-0', { partition: 0 }), payment('next-1', { partition: 1 })])
  const slow = await eventually('one of them to be in hand', () => (inHand === null ? null : `${inHand}`))
  const waiting = slow === '0' ? 1 : 0
  await restoreTo(database, 5, waiting)
  await consumer.lookBehind()
  recorded.length = 0
  gate.resolve()
  await bench.committed(22)
  await eventuallyApplied(database, 22)
  await assertEachOnce(database, [...ids, 'next-0', 'next-1'])
  // What had been forgotten comes first; the record that was fetched before it has to wait for its turn.
  const ofWaiting = recorded.filter((place) => place.startsWith(`${waiting}@`))
  assert.deepEqual(
    ofWaiting.slice(0, 5),
    [5, 6, 7, 8, 9].map((offset) => `${waiting}@${offset}`),
  )
})
