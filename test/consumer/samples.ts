import type { Candidate } from '../../src/consumer/candidates.ts'
import { DEFAULT_CONSUMER_SETTINGS, type IdentitySettings } from '../../src/consumer/consumer-settings.ts'
import type { Event } from '../../src/consumer/event.ts'
import type { KafkaRecord } from '../../src/kafka/kafka-record.ts'

/** A record as a payment service would write it, with what a test says otherwise. */
export function recordOf(given: Partial<KafkaRecord> = {}): KafkaRecord {
  return {
    offset: '0',
    timestamp: String(Date.UTC(2026, 7, 1, 12)),
    key: Buffer.from('acct_7'),
    value: Buffer.from('{"amountCents":4500}'),
    headers: { 'event-id': Buffer.from('evt-42') },
    ...given,
  }
}

/** An event with its identity given outright. */
export function eventOf(
  given: Partial<Omit<Event, 'record'>> & {
    readonly offset?: string
    readonly record?: Partial<KafkaRecord>
  },
): Event {
  const { offset = '0', record, ...identity } = given
  return {
    eventId: 'evt-42',
    markerDay: '2026-08-01',
    overlapDay: null,
    valueCrc32: 1,
    ...identity,
    record: recordOf({ offset, ...record }),
  }
}

export function candidateOf(event: Event): Candidate {
  return { event, secondDay: event.overlapDay }
}

/** The identity settings of the product, with what a test says otherwise. */
export function identityOf(given: Partial<IdentitySettings> = {}): IdentitySettings {
  const { eventId, markerDay, idScope, overlapMs } = DEFAULT_CONSUMER_SETTINGS
  return { eventId, markerDay, idScope, overlapMs, ...given }
}
