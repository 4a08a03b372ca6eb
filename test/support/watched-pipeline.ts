import { readFileSync } from 'node:fs'
import { connectKafka } from '../../src/kafka/kafka-client.ts'
import type { RecordToSend } from '../../src/kafka/kafka-producer.ts'
import { freePort } from '../../src/local/free-port.ts'
import { silentLog } from '../../src/process/log.ts'
import { type DaymarkProcess, type Ended, runDaymark, startDaymark } from './daymark-process.ts'
import { eventually } from './eventually.ts'
import { EFFECT_STATEMENT } from './ledger.ts'
import { type Prometheus, startPrometheus } from './prometheus.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { createTestTopics, type TestTopics } from './test-topic.ts'

const LEDGER = readFileSync(new URL('../../examples/payments/ledger_entries.sql', import.meta.url), 'utf8')
const DAY_MS = 86_400_000

/** A consumer and a worker, each a process of its own as in production, and a Prometheus that scrapes both. */
export type WatchedPipeline = AsyncDisposable & {
  readonly db: TestDatabase
  readonly topics: TestTopics
  readonly topic: string
  readonly prometheus: Prometheus
  readonly consumerAddress: string
  send(records: readonly RecordToSend[]): Promise<void>
  /** Waits until the ledger has that many entries. */
  applied(count: number): Promise<void>
  run(...args: string[]): Promise<Ended>
  stop(role: Role): Promise<void>
  start(role: Role): Promise<void>
  setRetentionDays(days: number): Promise<void>
}

export type Role = 'consume' | 'maintain'

/** Starts them with a topic of two partitions that keeps its records for a week, and `rules` for Prometheus. */
export async function startWatchedPipeline(rules: string): Promise<WatchedPipeline> {
  await using stack = new AsyncDisposableStack()
  const db = stack.use(await createTestDatabase())
  const topics = stack.use(await createTestTopics())
  await db.database.query(LEDGER)
  const topic = await topics.create(2, { 'retention.ms': String(7 * DAY_MS) })
  const variables = {
    DATABASE_URL: db.settings.url ?? '',
    KAFKA_BROKERS: topics.kafka.brokers.join(','),
    KAFKA_GROUP_ID: 'ledger-writer',
    KAFKA_TOPICS: topic,
    DAYMARK_CONSUMER_HANDLER: EFFECT_STATEMENT,
    DAYMARK_CONSUMER_RETRY_WAIT: '500 ms',
  }
  const ports = { consume: await freePort(), maintain: await freePort() }
  const processes = new Map<Role, DaymarkProcess>()
  stack.defer(async () => {
    for (const process of processes.values()) await process[Symbol.asyncDispose]()
  })
  const start = async (role: Role): Promise<void> => {
    const process = startDaymark([role], { ...variables, DAYMARK_HTTP_PORT: String(ports[role]) })
    processes.set(role, process)
    await eventually(`${role} to start`, () => {
      if (process.stderr().includes('"msg":"started"')) return true
      throw new Error(process.stderr())
    })
  }
  await start('maintain')
  await start('consume')
  const targets = Object.values(ports).map((port) => `127.0.0.1:${port}`)
  const prometheus = stack.use(await startPrometheus(targets, rules))
  const held = stack.move()
  return {
    db,
    topics,
    topic,
    prometheus,
    consumerAddress: `127.0.0.1:${ports.consume}`,
    send: async (records) => void (await topics.producer.send(topic, [...records])),
    applied: (count) => untilApplied(db, count),
    run: (...args) => runDaymark(args, variables),
    async stop(role) {
      processes.get(role)?.signal('SIGTERM')
      await processes.get(role)?.ended
      processes.delete(role)
    },
    start,
    setRetentionDays: (days) => setRetention(topics, topic, days),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

async function untilApplied(db: TestDatabase, count: number): Promise<void> {
  await eventually(`${count} entries in the ledger`, async () => {
    const { rows } = await db.database.query<{ total: number }>(
      'select count(*)::integer as total from ledger_entries',
    )
    if (rows[0]?.total === count) return true
    throw new Error(`${rows[0]?.total} entries`)
  })
}

/** As an operator does it, with the broker's own tool. */
async function setRetention(topics: TestTopics, topic: string, days: number): Promise<void> {
  const admin = connectKafka(topics.kafka, silentLog).admin()
  await admin.connect()
  try {
    const configEntries = [{ name: 'retention.ms', value: String(days * DAY_MS) }]
    await admin.alterConfigs({
      validateOnly: false,
      // Two is the kind of a topic; kafkajs's own name for it is an enum that a module cannot import.
      resources: [{ type: 2, name: topic, configEntries }],
    })
  } finally {
    await admin.disconnect()
  }
}
