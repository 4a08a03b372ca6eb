import type { KafkaHeaders } from './kafka-record.ts'

/**
 * The values of one header, in the order of the record; null for one without a value, which Kafka allows.
 *
 * kafkajs hands a single value over bare and several as an array. It collects them in an object that inherits, so a
 * header called `constructor` or `toString` comes with the inherited function in front, which is none of its values.
 */
export function headerValuesOf(headers: KafkaHeaders, name: string): (Buffer | string | null)[] {
  if (!Object.hasOwn(headers, name)) return []
  const found: unknown = headers[name]
  return (Array.isArray(found) ? found : [found]).filter(isValue)
}

function isValue(found: unknown): found is Buffer | string | null {
  return found === null || typeof found === 'string' || Buffer.isBuffer(found)
}
