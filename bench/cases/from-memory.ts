import { seededRandom } from '../../examples/payments/seeded-random.ts'
import { DEFAULT_CONSUMER_SETTINGS } from '../../src/consumer/consumer-settings.ts'
import { cutBatches } from '../../src/consumer/cut-batches.ts'
import { loadHandler } from '../../src/consumer/load-handler.ts'
import { prepareHandler } from '../../src/consumer/prepare-handler.ts'
import { recordBatch } from '../../src/consumer/record-batch.ts'
import { setProgress } from '../../src/consumer/sql/set-progress.ts'
import type { FetchedRecords } from '../../src/kafka/kafka-record.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { settingsOf } from '../support/database-settings-of.ts'
import { fetchesFromMemory } from '../support/fetches-from-memory.ts'
import { openMeter, type Reading } from '../support/meter.ts'
import { firstTimestampOf, PARTITIONS } from '../support/payment-records.ts'
import type { ConsumerCaseInput } from './consumer-case.ts'
import { examplePath } from './daymark-consumer.ts'

const GROUP = 'ledger-writer'

/**
 * The transactions of `daymark-sql`, a session per topic partition, with records that are in memory before the clock
 * starts: what is left of the time when there is no Kafka to read from.
 */
export async function fromMemory({ databaseUrl, topic, limit }: ConsumerCaseInput): Promise<Reading> {
  const settings = { ...DEFAULT_CONSUMER_SETTINGS, group: GROUP, topics: [topic] }
  await using database = openDatabase(settingsOf(databaseUrl, PARTITIONS), () => undefined)
  const handler = await prepareHandler(database, await loadHandler(examplePath('effect.sql')))
  const fetches = fetchesFromMemory(topic, limit.events, firstTimestampOf(Date.now()), seededRandom(1))
  const partitions = [...Map.groupBy(fetches, ({ partition }) => partition)]
  for (const [partition] of partitions) {
    await setProgress(database, { group: GROUP, topic, partition, nextOffset: '0', lost: 0 })
  }
  const meter = openMeter(limit)
  meter.begin()
  await Promise.all(partitions.map(([, own]) => recordAll(own)))
  return await meter.over

  async function recordAll(own: readonly FetchedRecords[]): Promise<void> {
    const fixed = { settings, handler, seenOffset: '0', isolating: false }
    for (const fetched of own) {
      for (const batch of cutBatches(fetched, settings)) {
        if (meter.isOver()) return
        const beganAt = performance.now()
        const { processed } = await database.withSession((session) =>
          recordBatch(session, batch, { ...fixed, reach: () => undefined, judge: () => undefined }),
        )
        meter.add(processed.length, performance.now() - beganAt)
      }
    }
  }
}
