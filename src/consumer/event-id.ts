import { isUtf8 } from 'node:buffer'
import { headerValuesOf } from '../kafka/header-values.ts'
import type { KafkaHeaders, KafkaRecord } from '../kafka/kafka-record.ts'
import type { IdentitySettings } from './consumer-settings.ts'

const CLOUD_EVENTS_HEADER = 'ce_id'
const LONGEST_BYTES = 255

/** An id, or the sentence that says why the record has none. */
export type EventIdReading = { readonly eventId: string } | { readonly refusal: string }

/**
 * Reads a record's event id: text of 1 to 255 bytes, valid UTF-8, without NUL. Anything else is refused, never
 * mended: decoding maps every broken byte to U+FFFD, and so would make two ids equal.
 */
export function readEventId(record: KafkaRecord, topic: string, settings: IdentitySettings): EventIdReading {
  const reading = readText(record, topic, settings)
  if ('refusal' in reading) return reading
  const { eventId } = reading
  if (eventId.length === 0) return { refusal: 'the event id is empty; expected 1 to 255 bytes' }
  if (eventId.length * 3 > LONGEST_BYTES && Buffer.byteLength(eventId) > LONGEST_BYTES) {
    return { refusal: `the event id has ${Buffer.byteLength(eventId)} bytes; expected 1 to ${LONGEST_BYTES}` }
  }
  if (eventId.includes('\0'))
    return { refusal: 'the event id contains NUL, which PostgreSQL text cannot hold' }
  return reading
}

function readText(record: KafkaRecord, topic: string, { eventId }: IdentitySettings): EventIdReading {
  if (eventId.kind === 'header') return readHeader(record.headers ?? {}, eventId.name)
  if (eventId.kind === 'key') {
    return record.key === null
      ? { refusal: 'the record has no key to take the event id from' }
      : decode(record.key)
  }
  try {
    const text = eventId.of(record, topic)
    if (typeof text !== 'string') return { refusal: 'the event id function found none' }
    return wellFormed(text)
  } catch (error) {
    return {
      refusal: `the event id function threw: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

function readHeader(headers: KafkaHeaders, name: string): EventIdReading {
  const own = headerValuesOf(headers, name)
  const values = own.length > 0 ? own : headerValuesOf(headers, CLOUD_EVENTS_HEADER)
  const [only] = values
  if (only === undefined) return { refusal: `the record has no header "${name}"` }
  if (values.length > 1) {
    return { refusal: `the header "${name}" has ${values.length} values; expected one` }
  }
  if (only === null) return { refusal: `the header "${name}" has no value` }
  return typeof only === 'string' ? wellFormed(only) : decode(only)
}

function wellFormed(text: string): EventIdReading {
  return text.isWellFormed() ? { eventId: text } : { refusal: 'the event id contains a lone surrogate' }
}

function decode(bytes: Buffer): EventIdReading {
  return isUtf8(bytes) ? { eventId: bytes.toString('utf8') } : { refusal: 'the event id is not valid UTF-8' }
}
