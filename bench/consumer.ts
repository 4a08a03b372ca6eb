import { availableParallelism } from 'node:os'
import { KAFKA_VERSION } from '../src/local/kafka-jars.ts'
import { CONSUMER_CASES, type ConsumerCaseInput, type ConsumerCaseName } from './cases/consumer-case.ts'
import type { ConsumerFigures } from './cases/run-consumer-case.ts'
import { checkpoint, createBenchDatabase, describeServer } from './support/bench-database.ts'
import {
  type BenchPostgres,
  makeBenchDirectory,
  startBenchKafka,
  startBenchPostgres,
} from './support/bench-servers.ts'
import { consumerTable } from './support/consumer-table.ts'
import { inOwnProcess } from './support/own-process.ts'
import { fillPaymentsTopic } from './support/payments-topic.ts'
import { figuresJson, runBench, say } from './support/run-bench.ts'

/**
 * The same payments, consumed in several ways, in turn, from one Kafka into one PostgreSQL. A transaction per event is
 * so slow that the first two cases do a part of the topic; all rates are per second.
 */

const EVENTS = 300_000
const LIMITS: Readonly<Record<ConsumerCaseName, { events: number; tookMs: number }>> = {
  'runbook-loop': { events: 15_000, tookMs: 25_000 },
  'per-event-8': { events: 40_000, tookMs: 20_000 },
  'daymark-typescript': { events: EVENTS, tookMs: 30_000 },
  'daymark-sql': { events: EVENTS, tookMs: 30_000 },
  'from-memory': { events: EVENTS, tookMs: 30_000 },
}
const CASE_MODULE = new URL('./cases/run-consumer-case.ts', import.meta.url)
const CASE_TIMEOUT_MS = 60_000

await runBench(async ({ signal, isJson, data }) => {
  using directory = makeBenchDirectory(data)
  await using postgres = await startBenchPostgres(directory.path, signal)
  await using kafka = await startBenchKafka(directory.path, signal, say)
  say(`writing ${EVENTS} payments to the topic`)
  const topic = await fillPaymentsTopic({ brokers: [kafka.broker], clientId: 'bench' }, EVENTS)
  const cases: ({ name: ConsumerCaseName } & ConsumerFigures)[] = []
  for (const name of CONSUMER_CASES) {
    say(`running ${name}`)
    const input = { broker: kafka.broker, topic, limit: LIMITS[name] }
    cases.push({ name, ...(await measure(name, input, postgres, signal)) })
  }
  if (isJson) return figuresJson({ cases: cases.map(({ events: _, ...figures }) => figures) })
  const servers = `${await describeServer(postgres.urlOf('postgres'))}, Kafka ${KAFKA_VERSION}, Node ${process.versions.node}`
  return `${consumerTable(cases)}\n\n${servers}, ${availableParallelism()} cores`
})

async function measure(
  name: ConsumerCaseName,
  input: Omit<ConsumerCaseInput, 'databaseUrl'>,
  postgres: BenchPostgres,
  signal: AbortSignal,
): Promise<ConsumerFigures> {
  const databaseUrl = await createBenchDatabase(postgres, name)
  await checkpoint(databaseUrl)
  return await inOwnProcess<ConsumerFigures>(CASE_MODULE, [name, JSON.stringify({ ...input, databaseUrl })], {
    timeoutMs: CASE_TIMEOUT_MS,
    signal,
  })
}
