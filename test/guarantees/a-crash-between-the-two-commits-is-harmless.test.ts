import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../examples/payments/seeded-random.ts'
import type { Queryable } from '../../src/postgres/queryable.ts'
import type { Halt } from '../support/consumer-process.ts'
import { type DaymarkProcess, startDaymark } from '../support/daymark-process.ts'
import { eventually } from '../support/eventually.ts'
import {
  appliedIds,
  assertEachOnce,
  createOpenLedger,
  eventuallyApplied,
  TYPESCRIPT_HANDLER,
} from '../support/ledger.ts'
import { eventIds, payment } from '../support/payments.ts'
import { startConsumerProcess, startOffsetFirstConsumer } from '../support/start-consumer-process.ts'
import { newGroup, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { createTestTopics, type TestTopics } from '../support/test-topic.ts'

/** The partition of `evt-42`. */
const PARTITION = 3

/**
 * Two consumers share the topic. The one that owns the partition of evt-42 is killed at its halt; the group rebalances,
 * and the other takes the partition over. Answers what had been applied at the moment of the kill.
 */
async function killOwner(at: Halt['at']): Promise<string[]> {
  await using db = await createTestDatabase()
  await using topics = await createTestTopics()
  await createOpenLedger(db.database)
  const topic = await topics.create(4)
  const settings = testSettings({ topics: [topic] })
  const options = {
    settings,
    database: db.settings,
    kafka: topics.kafka,
    handlerPath: TYPESCRIPT_HANDLER,
    halt: { at, eventId: 'evt-42' },
  }
  await using one = startConsumerProcess(options)
  await using other = startConsumerProcess(options)
  const isShared = (): boolean => one.assigned()?.length === 2 && other.assigned()?.length === 2
  await eventually('both to have partitions', isShared)
  await topics.producer.send(topic, [payment('evt-42', { partition: PARTITION })])
  const owner = one.assigned()?.includes(`${topic}/${PARTITION}`) ? one : other
  await owner.halted()
  const applied = await appliedIds(db.database)
  await owner.kill()

  const survivor = owner === one ? other : one
  const ids = eventIds('after', 200)
  const payments = ids.map((id, number) => payment(id, { partition: number % 4 }))
  await topics.producer.send(topic, payments)
  if (at === 'before-commit') {
    // The event is new to the survivor too, which comes to the same halt, and is woken there.
    await survivor.halted()
    survivor.signal('SIGCONT')
  }
  await eventually('the survivor to have passed evt-42 and all after it', async () => {
    const committed = await topics.admin.fetchCommittedOffsets(settings.group, topic)
    return committed.reduce((sum, { offset }) => sum + Number(offset), 0) === 201
  })
  await assertEachOnce(db.database, ['evt-42', ...ids])
  return applied
}

test('the naive order, which commits the offset first, loses the event of a consumer that is killed in between', async () => {
  await using db = await createTestDatabase()
  await using topics = await createTestTopics()
  await createOpenLedger(db.database)
  const topic = await topics.create(1)
  const options = { group: newGroup(), topic, kafka: topics.kafka, database: db.settings }
  await topics.producer.send(topic, [payment('evt-41'), payment('evt-42'), payment('evt-43')])
  {
    await using naive = startOffsetFirstConsumer({ ...options, haltBefore: 'evt-42' })
    await naive.halted()
    await naive.kill()
  }
  await using _next = startOffsetFirstConsumer({ ...options, haltBefore: null })
  await eventuallyApplied(db.database, 2)
  assert.deepEqual(await appliedIds(db.database), ['evt-41', 'evt-43'])
})

test('a consumer killed between its database commit and its offset commit leaves one effect and one marker', async () => {
  assert.deepEqual(await killOwner('after-commit'), ['evt-42'])
})

test('a consumer killed before its database commit leaves nothing, and the next owner applies the event once', async () => {
  assert.deepEqual(await killOwner('before-commit'), [])
})

test('ten kills at random moments over 200,000 events leave each applied once and marked once', async (t) => {
  const seed = 20_261_201
  t.diagnostic(`seed ${seed}`)
  const random = seededRandom(seed)
  await using db = await createTestDatabase()
  await using topics = await createTestTopics()
  await createOpenLedger(db.database)
  const topic = await topics.create(6, { 'retention.ms': '604800000' })
  const variables = {
    DATABASE_URL: db.settings.url ?? '',
    KAFKA_BROKERS: topics.kafka.brokers.join(','),
    KAFKA_GROUP_ID: newGroup(),
    KAFKA_TOPICS: topic,
    DAYMARK_CONSUMER_HANDLER: TYPESCRIPT_HANDLER,
    DAYMARK_CONSUMER_SESSION_TIMEOUT: '6 seconds',
    DAYMARK_HTTP_PORT: '0',
  }
  const start = (): DaymarkProcess => startDaymark(['consume'], variables)
  const members = [start(), start(), start()]
  await using _ = { [Symbol.asyncDispose]: async () => void (await Promise.all(members.map(kill))) }
  const ids = eventIds('evt', 200_000)
  for (let round = 0; round < 5; round++) {
    const sent = sendAll(topics, topic, ids.slice(round * 40_000, (round + 1) * 40_000))
    for (const half of [0, 1]) {
      const moment = Math.floor((round + (half + random()) / 2) * 40_000)
      await eventually(`${moment} events`, async () => (await recordedCount(db.database)) >= moment, 60_000)
      await kill(members.splice(Math.floor(random() * members.length), 1)[0])
    }
    members.push(start(), start())
    await sent
  }
  await eventuallyApplied(db.database, ids.length, 60_000)
  await assertEachOnce(db.database, ids)
})

async function kill(member: DaymarkProcess | undefined): Promise<void> {
  await member?.[Symbol.asyncDispose]()
}

async function sendAll(topics: TestTopics, topic: string, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 5_000) {
    const piece = ids.slice(from, from + 5_000)
    await topics.producer.send(
      topic,
      piece.map((id, number) => payment(id, { partition: number % 6 })),
    )
  }
}

/** How many records lie behind the progress of all topic partitions. */
async function recordedCount(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select coalesce(sum(next_offset), 0)::int as count from daymark.consumer_progress',
  )
  return rows[0]?.count ?? 0
}
