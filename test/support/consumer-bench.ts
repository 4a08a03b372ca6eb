import type { Consumer } from '../../src/consumer/consumer.ts'
import type { ConsumerObserver } from '../../src/consumer/consumer-observer.ts'
import type { ConsumerSettings } from '../../src/consumer/consumer-settings.ts'
import type { DeadReason } from '../../src/consumer/event.ts'
import type { Handler } from '../../src/consumer/handler.ts'
import { connectKafka } from '../../src/kafka/kafka-client.ts'
import type { RecordToSend } from '../../src/kafka/kafka-producer.ts'
import type { KafkaSettings } from '../../src/kafka/kafka-settings.ts'
import { silentLog } from '../../src/process/log.ts'
import { eventually } from './eventually.ts'
import { createOpenLedger } from './ledger.ts'
import { openRecordingLog } from './recording-log.ts'
import { ledgerEffect, startTestConsumer, testSettings } from './test-consumer.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { createTestTopics, type TestTopics } from './test-topic.ts'

/** What a consumer has told its observer, added up. */
export type Told = {
  processed: number
  redelivered: number
  republished: number
  readonly dead: Partial<Record<DeadReason, number>>
  /** The reasons of waits, in turn. */
  readonly waits: string[]
  readonly lost: number[]
}

export type BenchConsumer = Consumer & AsyncDisposable & { readonly told: Told }

/** A database with an open ledger, a topic, and a group that is to read the one into the other. */
export type ConsumerBench = AsyncDisposable & {
  readonly db: TestDatabase
  readonly topics: TestTopics
  readonly topic: string
  readonly settings: ConsumerSettings
  readonly log: ReturnType<typeof openRecordingLog>
  /** A consumer of the group, stopped by its owner. */
  start(given?: StartOptions): Promise<BenchConsumer>
  send(records: readonly RecordToSend[], topic?: string): Promise<void>
  /** Takes the group back to the earliest offset; it must have no members. */
  rewind(): Promise<void>
  /** Deletes what the group has committed, as the broker does in time; it is quicker, and everything comes again. */
  forgetOffsets(): Promise<void>
  /** Waits until the committed offsets of the topic add up to this. */
  committed(sum: number, withinMs?: number): Promise<void>
  /** The dead letters in the order of their offsets: id, reason, error and SQLSTATE. */
  deadLetters(): Promise<{ id: string | null; reason: string; error: string; sqlstate: string | null }[]>
}

type StartOptions = {
  readonly handler?: Handler
  readonly settings?: Partial<ConsumerSettings>
  readonly requestRun?: (reason: string) => Promise<void>
  readonly database?: TestDatabase['database']
  /** What more is to be told. */
  readonly observer?: Partial<ConsumerObserver>
}

/** On a broker of the test's own, if one is given. */
export async function createConsumerBench(
  given: Partial<ConsumerSettings> & { readonly partitions?: number } = {},
  kafka?: KafkaSettings,
): Promise<ConsumerBench> {
  const { partitions = 1, ...settingsGiven } = given
  await using stack = new AsyncDisposableStack()
  const db = stack.use(await createTestDatabase())
  const topics = stack.use(await createTestTopics(kafka))
  await createOpenLedger(db.database)
  const topic = await topics.create(partitions)
  const settings = testSettings({ topics: [topic], ...settingsGiven })
  const log = openRecordingLog()
  const kept = stack.move()
  return {
    db,
    topics,
    topic,
    settings,
    log,
    start: (options) => startTold({ db, topics, settings, log }, options ?? {}),
    async send(records, into = topic) {
      await topics.producer.send(into, records)
    },
    async rewind() {
      const offsets = Array.from({ length: partitions }, (_, partition) => ({ partition, offset: '0' }))
      await topics.admin.setCommittedOffsets(settings.group, topic, offsets)
    },
    async forgetOffsets() {
      const admin = connectKafka(topics.kafka, silentLog).admin()
      await admin.connect()
      await admin.deleteGroups([settings.group]).finally(() => admin.disconnect())
    },
    async committed(sum, withinMs) {
      await eventually(
        `committed offsets of ${sum}`,
        async () => {
          const committed = await topics.admin.fetchCommittedOffsets(settings.group, topic)
          const found = committed.reduce((total, { offset }) => total + Number(offset), 0)
          if (found !== sum) throw new Error(`found ${found}`)
          return true
        },
        withinMs,
      )
    },
    async deadLetters() {
      const { rows } = await db.database.query<{
        id: string | null
        reason: string
        error: string
        sqlstate: string | null
      }>(
        `select event_id as id, reason, error, sqlstate from daymark.dead_letters
          order by topic, partition, "offset", id`,
      )
      return rows
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function startTold(
  { db, topics, settings, log }: Pick<ConsumerBench, 'db' | 'topics' | 'settings' | 'log'>,
  { handler = ledgerEffect, settings: more = {}, requestRun, database = db.database, observer }: StartOptions,
): Promise<BenchConsumer> {
  const told: Told = { processed: 0, redelivered: 0, republished: 0, dead: {}, waits: [], lost: [] }
  const consumer = await startTestConsumer({
    settings: { ...settings, ...more },
    handler,
    database,
    kafka: topics.kafka,
    log,
    ...(requestRun === undefined ? {} : { requestRun }),
    observer: {
      ...observer,
      batchRecorded(batch) {
        observer?.batchRecorded?.(batch)
        const { processed, redelivered, republished, dead } = batch
        told.processed += processed
        told.redelivered += redelivered
        told.republished += republished
        for (const reason of Object.keys(dead) as DeadReason[]) {
          told.dead[reason] = (told.dead[reason] ?? 0) + (dead[reason] ?? 0)
        }
      },
      waiting: ({ reason }) => told.waits.push(reason),
      recordsLost: ({ count }) => told.lost.push(count),
    },
  })
  return Object.assign(consumer, { told })
}
