import { fileURLToPath } from 'node:url'
import { startConsumer } from '../../src/consumer/consumer.ts'
import { silentObserver } from '../../src/consumer/consumer-observer.ts'
import { DEFAULT_CONSUMER_SETTINGS } from '../../src/consumer/consumer-settings.ts'
import { loadHandler } from '../../src/consumer/load-handler.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { openLog } from '../../src/process/log.ts'
import { settingsOf } from '../support/database-settings-of.ts'
import { openMeter, type Reading } from '../support/meter.ts'
import type { ConsumerCaseInput } from './consumer-case.ts'

/** As many as `daymark consume` opens. */
const CONNECTIONS = DEFAULT_CONSUMER_SETTINGS.concurrency + 2

/** daymark as it comes, with the handler of the payments example that is asked for. */
export async function daymarkConsumer(
  handlerFile: 'handler.ts' | 'effect.sql',
  { databaseUrl, broker, topic, limit }: ConsumerCaseInput,
): Promise<Reading> {
  const meter = openMeter(limit)
  await using database = openDatabase(settingsOf(databaseUrl, CONNECTIONS), () => undefined)
  const consumer = await startConsumer({
    // A group of its own: one that has offsets at the broker begins there, also in an empty database.
    settings: { ...DEFAULT_CONSUMER_SETTINGS, group: groupOf(databaseUrl), topics: [topic] },
    handler: await loadHandler(examplePath(handlerFile)),
    database,
    kafka: { brokers: [broker], clientId: 'bench' },
    log: openLog({ level: 'warn' }),
    observer: {
      ...silentObserver,
      assigned: meter.begin,
      batchRecorded: ({ processed, tookMs }) => meter.add(processed, tookMs),
    },
    requestRun: async () => undefined,
  })
  const reading = await meter.over
  await consumer.stop()
  return reading
}

function groupOf(databaseUrl: string): string {
  return `ledger-writer-${new URL(databaseUrl).pathname.slice(1)}`
}

/** The path of a file of the payments example. */
export function examplePath(file: string): string {
  return fileURLToPath(new URL(`../../examples/payments/${file}`, import.meta.url))
}
