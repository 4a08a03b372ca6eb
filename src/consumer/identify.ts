import { crc32 } from 'node:zlib'
import type { KafkaRecord } from '../kafka/kafka-record.ts'
import type { IdentitySettings } from './consumer-settings.ts'
import type { DeadEvent, Event } from './event.ts'
import { readEventId } from './event-id.ts'
import { readMarkerDays } from './marker-days.ts'

/** Between a topic and an id under `idScope: 'topic'`: no topic's name can contain it, so no two pairs read alike. */
const TOPIC_SEPARATOR = '/'

export type Identified = { readonly event: Event } | { readonly dead: DeadEvent }

/** Gives a record its identity, or says why it has none. Pure: the same record gives the same answer, always. */
export function identify(record: KafkaRecord, topic: string, settings: IdentitySettings): Identified {
  const id = readEventId(record, topic, settings)
  if ('refusal' in id) return { dead: unidentified(record, null, 'bad-id', id.refusal) }
  const days = readMarkerDays(record, topic, id.eventId, settings)
  if ('refusal' in days) return { dead: unidentified(record, id.eventId, days.reason, days.refusal) }
  return {
    event: {
      record,
      eventId: settings.idScope === 'topic' ? `${topic}${TOPIC_SEPARATOR}${id.eventId}` : id.eventId,
      markerDay: days.markerDay,
      overlapDay: days.overlapDay,
      valueCrc32: record.value === null ? null : crc32(record.value) | 0,
    },
  }
}

function unidentified(
  record: KafkaRecord,
  eventId: string | null,
  reason: 'bad-id' | 'bad-time',
  error: string,
): DeadEvent {
  return {
    record,
    eventId,
    markerDay: null,
    overlapDay: null,
    refusedDay: null,
    reason,
    error,
    sqlstate: null,
  }
}
