import { seededRandom } from '../../examples/payments/seeded-random.ts'
import { openKafkaAdmin } from '../../src/kafka/kafka-admin.ts'
import { openKafkaProducer } from '../../src/kafka/kafka-producer.ts'
import type { KafkaSettings } from '../../src/kafka/kafka-settings.ts'
import { silentLog } from '../../src/process/log.ts'
import { firstTimestampOf, PARTITIONS, paymentRecords } from './payment-records.ts'

const TOPIC = 'payments'
const RECORDS_PER_SEND = 5_000
const SEED = 1

/** Fills a topic with that many payments and returns its name. Without a retention of its own it keeps them for ever. */
export async function fillPaymentsTopic(
  kafka: KafkaSettings,
  count: number,
  { partitions = PARTITIONS, retentionMs = -1 } = {},
): Promise<string> {
  await using admin = await openKafkaAdmin(kafka, silentLog)
  await admin.createTopic({ topic: TOPIC, partitions, settings: { 'retention.ms': String(retentionMs) } })
  await using producer = await openKafkaProducer(kafka, silentLog)
  const random = seededRandom(SEED)
  const firstTimestampMs = firstTimestampOf(Date.now())
  for (let from = 0; from < count; from += RECORDS_PER_SEND) {
    const until = Math.min(count, from + RECORDS_PER_SEND)
    await producer.send(TOPIC, paymentRecords(from, until, firstTimestampMs, random, partitions))
  }
  return TOPIC
}
