import { isUtf8 } from 'node:buffer'
import { decodeHeaders } from './decode-headers.ts'
import type { Event } from './event.ts'
import type { HandlerEvent } from './handler.ts'

export type Decoded = { readonly handlerEvent: HandlerEvent } | { readonly refusal: string }

/** Decodes an event for a handler: the key as UTF-8 text, the value as JSON; a tombstone's value is null. */
export function decodeEvent(event: Event, topic: string, partition: number): Decoded {
  const { record } = event
  if (record.key !== null && !isUtf8(record.key)) return { refusal: 'the key is not valid UTF-8' }
  const value = decodeValue(record.value)
  if ('refusal' in value) return value
  return {
    handlerEvent: {
      eventId: event.eventId,
      topic,
      partition,
      offset: record.offset,
      recordTimestamp: new Date(Number(record.timestamp)),
      markerDay: event.markerDay,
      key: record.key === null ? null : record.key.toString('utf8'),
      value: value.json,
      // Few handlers look at headers, and decoding them costs as much as the value.
      get headers() {
        return decodeHeaders(record.headers ?? {})
      },
    },
  }
}

function decodeValue(value: Buffer | null): { readonly json: unknown } | { readonly refusal: string } {
  if (value === null) return { json: null }
  if (!isUtf8(value)) return { refusal: 'the value is not valid UTF-8' }
  try {
    return { json: JSON.parse(value.toString('utf8')) }
  } catch (error) {
    // JSON.parse quotes what it found, and a payload has no place in a log or an error.
    return { refusal: `the value is not JSON (${(error as Error).name}, ${value.length} bytes)` }
  }
}
