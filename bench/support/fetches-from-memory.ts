import type { RecordToSend } from '../../src/kafka/kafka-producer.ts'
import type { FetchedRecords, KafkaRecord } from '../../src/kafka/kafka-record.ts'
import { PARTITIONS, paymentRecords } from './payment-records.ts'

/** As many records as a fetch of two megabytes brings. */
const RECORDS_PER_FETCH = 10_000

/** Payments as fetches would bring them, of one partition after the other. */
export function fetchesFromMemory(
  topic: string,
  count: number,
  firstTimestampMs: number,
  random: () => number,
): FetchedRecords[] {
  const fetches: FetchedRecords[] = []
  const perRound = RECORDS_PER_FETCH * PARTITIONS
  for (let from = 0; from < count; from += perRound) {
    const sent = paymentRecords(from, Math.min(count, from + perRound), firstTimestampMs, random)
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const records = sent
        .filter((record) => record.partition === partition)
        .map((record, index) => asDelivered(record, from / PARTITIONS + index))
      const lastOffset = records.at(-1)?.offset ?? '0'
      fetches.push({ topic, partition, records, lastOffset, highWatermark: String(count / PARTITIONS) })
    }
  }
  return fetches
}

function asDelivered({ key, value, headers = {}, timestampMs }: RecordToSend, offset: number): KafkaRecord {
  return {
    offset: String(offset),
    timestamp: String(timestampMs),
    key: key === null ? null : Buffer.from(key),
    value: value === null ? null : Buffer.from(value),
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)])),
  }
}
