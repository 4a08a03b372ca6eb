import type { ConsumerSettings } from '../../src/consumer/consumer-settings.ts'
import { cutBatches } from '../../src/consumer/cut-batches.ts'
import type { Handler } from '../../src/consumer/handler.ts'
import { prepareHandler } from '../../src/consumer/prepare-handler.ts'
import { recordBatch } from '../../src/consumer/record-batch.ts'
import { setProgress } from '../../src/consumer/sql/set-progress.ts'
import type { RecordToSend } from '../../src/kafka/kafka-producer.ts'
import type { KafkaRecord, TopicPartition } from '../../src/kafka/kafka-record.ts'
import type { Database } from '../../src/postgres/database.ts'

/** Records as they come from one topic partition. */
export type Delivery = TopicPartition & { readonly records: readonly RecordToSend[] }

/**
 * Records several deliveries at the same time, each in a transaction of its own on a connection of its own, by the
 * very path that a consumer takes. Answers how many events each has applied.
 */
export async function recordAtOnce(
  database: Database,
  settings: ConsumerSettings,
  handler: Handler,
  deliveries: readonly Delivery[],
): Promise<number[]> {
  const ready = await prepareHandler(database, handler)
  for (const { topic, partition } of deliveries) {
    await setProgress(database, { group: settings.group, topic, partition, nextOffset: '0', lost: 0 })
  }
  return await Promise.all(
    deliveries.map(async ({ topic, partition, records }) => {
      const delivered = records.map(asDelivered)
      const fetched = { topic, partition, records: delivered, lastOffset: String(records.length - 1) }
      let processed = 0
      for (const batch of cutBatches({ ...fetched, highWatermark: String(records.length) }, settings)) {
        const recorded = await database.withSession((session) =>
          recordBatch(session, batch, {
            settings,
            handler: ready,
            seenOffset: '0',
            isolating: false,
            reach: () => undefined,
            judge: () => undefined,
          }),
        )
        processed += recorded.processed.length
      }
      return processed
    }),
  )
}

function asDelivered({ key, value, headers, timestampMs }: RecordToSend, offset: number): KafkaRecord {
  return {
    offset: String(offset),
    timestamp: String(timestampMs),
    key: key === null ? null : Buffer.from(key),
    value: value === null ? null : Buffer.from(value),
    headers: { ...headers },
  }
}
