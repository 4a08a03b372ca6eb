import type { KafkaRecord } from '../kafka/kafka-record.ts'
import type { DeadLetter } from './dead-letter.ts'

/** The latest timestamp that the protocol knows: it is as much out of range as the one that could not be kept. */
const OUT_OF_RANGE = '9223372036854775807'

/** The record of a dead letter as Kafka delivered it, byte for byte. */
export function rebuildRecord(letter: DeadLetter): KafkaRecord {
  const { offset, recordTimestampMs, key, value } = letter
  return { offset, timestamp: recordTimestampMs ?? OUT_OF_RANGE, key, value, headers: headersOf(letter) }
}

/** As kafkajs hands headers over: a value bare, several as an array. */
function headersOf({ headers }: DeadLetter): KafkaRecord['headers'] {
  const byName = Map.groupBy(headers, ([name]) => name)
  return Object.fromEntries(
    [...byName].map(([name, pairs]) => {
      const values = pairs.map(([, value]) => (value === null ? null : Buffer.from(value, 'base64')))
      return [name, values.length > 1 ? values : (values[0] ?? null)]
    }),
  )
}
