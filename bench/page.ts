import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { addDays } from '../src/calendar/period.ts'
import { freePort } from '../src/local/free-port.ts'
import { migrateJobs } from '../src/maintenance/scheduler.ts'
import { examplePath } from './cases/daymark-consumer.ts'
import { checkpoint, createBenchDatabase, describeServer, onDatabase } from './support/bench-database.ts'
import {
  type BenchPostgres,
  makeBenchDirectory,
  startBenchKafka,
  startBenchPostgres,
} from './support/bench-servers.ts'
import { settingsOf } from './support/database-settings-of.ts'
import { maintainedDays, partitionOf } from './support/maintained-days.ts'
import { numbersTable } from './support/numbers-table.ts'
import { openTabs, type TabFigures } from './support/open-tabs.ts'
import { fillPaymentsTopic } from './support/payments-topic.ts'
import { percentile } from './support/percentile.ts'
import { figuresJson, runBench, say } from './support/run-bench.ts'

/**
 * What the page costs a consumer at full rate, and how soon it answers, with 400 partitions and 64 topic partitions:
 * the same payments by `daymark consume`, in turn without a reader and with ten tabs.
 */

const EVENTS = 600_000
const DAYS = 400
const TOPIC_PARTITIONS = 64
const TABS = 10
/** The shortest refresh that the page offers. */
const REFRESH_MS = 5_000
const DAY_MS = 86_400_000
const CASE_TIMEOUT_MS = 120_000
const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url))

type Figures = { readonly tabs: number; readonly eventsPerSecond: number; readonly answers: TabFigures }

await runBench(async ({ signal, isJson, data }) => {
  using directory = makeBenchDirectory(data)
  await using postgres = await startBenchPostgres(directory.path, signal)
  await using kafka = await startBenchKafka(directory.path, signal, say)
  say(`writing ${EVENTS} payments to the topic`)
  const given = { partitions: TOPIC_PARTITIONS, retentionMs: 7 * DAY_MS }
  const topic = await fillPaymentsTopic({ brokers: [kafka.broker], clientId: 'bench' }, EVENTS, given)
  const cases: Figures[] = []
  // In turn, so that what the machine does meanwhile meets both.
  for (const [round, tabs] of [0, TABS, 0, TABS].entries()) {
    say(`consuming with ${tabs} tabs`)
    cases.push(await measure(postgres, { broker: kafka.broker, topic, tabs, name: `page_${round}` }))
  }
  const rows = cases.map(({ tabs, eventsPerSecond, answers: { state, plan } }) => ({
    tabs,
    eventsPerSecond,
    p95StateMs: percentile(state, 0.95),
    p95PlanMs: percentile(plan, 0.95),
    answers: state.length,
  }))
  if (isJson) return figuresJson({ cases: rows })
  const table = numbersTable(
    ['tabs', 'events/s', 'p95 state ms', 'p95 plan ms', 'answers of each'],
    rows.map((row) => [
      String(row.tabs),
      row.eventsPerSecond.toFixed(0),
      ...[row.p95StateMs, row.p95PlanMs].map((ms) => (Number.isNaN(ms) ? '-' : ms.toFixed(1))),
      String(row.answers),
    ]),
  )
  return `${table}\n\n${await describeServer(postgres.urlOf('postgres'))}, ${availableParallelism()} cores, refresh every ${REFRESH_MS / 1_000} s`
})

type Input = { readonly broker: string; readonly topic: string; readonly tabs: number; readonly name: string }

async function measure(postgres: BenchPostgres, { broker, topic, tabs, name }: Input): Promise<Figures> {
  const url = await createBenchDatabase(postgres, name)
  await migrateJobs(settingsOf(url, 1))
  await makeOldDays(url)
  await checkpoint(url)
  const port = await freePort()
  const child = spawn(process.execPath, ['--disable-warning=TimeoutNegativeWarning', CLI, 'consume'], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: url,
      KAFKA_BROKERS: broker,
      KAFKA_TOPICS: topic,
      KAFKA_GROUP_ID: name,
      DAYMARK_CONSUMER_HANDLER: examplePath('effect.sql'),
      DAYMARK_HTTP_PORT: String(port),
      DAYMARK_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    return await watch(child, url, port, tabs)
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'close')
  }
}

/** From the first event recorded to the last. */
async function watch(child: ChildProcess, url: string, port: number, tabs: number): Promise<Figures> {
  await untilRecorded(child, url, 1)
  const beganAt = performance.now()
  const before = await recordedCount(url)
  const ending = new AbortController()
  const reading = openTabs(`http://127.0.0.1:${port}`, tabs, REFRESH_MS, ending.signal)
  // Heard below; before that it would end the process.
  reading.catch(() => undefined)
  await untilRecorded(child, url, EVENTS)
  const tookMs = performance.now() - beganAt
  ending.abort()
  return { tabs, eventsPerSecond: ((EVENTS - before) / tookMs) * 1_000, answers: await reading }
}

async function makeOldDays(url: string): Promise<void> {
  await onDatabase(url, async (db) => {
    const { today } = await maintainedDays(db)
    // The migrations have made yesterday, today and a week.
    for (let back = 2; back <= DAYS - 8; back++) {
      const day = addDays(today, -back)
      await db.query(
        `create table daymark.${partitionOf(day)} partition of daymark.processed_events
           for values from ('${day}') to ('${addDays(day, 1)}')`,
      )
    }
    await db.query(
      `insert into daymark.maintained_tables (schema_name, table_name, dropped_through)
       values ('daymark', 'processed_events', $1::date)`,
      [addDays(today, -DAYS)],
    )
  })
}

async function recordedCount(url: string): Promise<number> {
  const { rows } = await onDatabase(url, (db) =>
    db.query<{ count: number }>(
      'select coalesce(sum(next_offset), 0)::integer as count from daymark.consumer_progress',
    ),
  )
  return rows[0]?.count ?? 0
}

async function untilRecorded(child: ChildProcess, url: string, count: number): Promise<void> {
  const deadline = performance.now() + CASE_TIMEOUT_MS
  while ((await recordedCount(url)) < count) {
    if (child.exitCode !== null) throw new Error(`the consumer ended by itself with ${child.exitCode}`)
    if (performance.now() > deadline) throw new Error(`expected ${count} events within ${CASE_TIMEOUT_MS} ms`)
    await delay(100)
  }
}
