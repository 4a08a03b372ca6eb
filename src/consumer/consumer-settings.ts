import type { KafkaRecord } from '../kafka/kafka-record.ts'

/** Where an event's id comes from. A function gets the record and its topic; null means that it has none. */
export type EventIdSource =
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'key' }
  | { readonly kind: 'function'; readonly of: (record: KafkaRecord, topic: string) => string | null }

/** Where an event's day comes from: always the record itself, never a clock. */
export type MarkerDaySource =
  | 'record-timestamp'
  | 'event-id'
  | ((record: KafkaRecord, topic: string) => string)

/** The settings that make an event's key. They are pinned for a group: another key for a record applies it twice. */
export type IdentitySettings = {
  /** The header `event-id` by default. CloudEvents' `ce_id` is read where that one is absent. */
  readonly eventId: EventIdSource
  /** The UTC day of the record timestamp by default: a redelivery carries the same one. */
  readonly markerDay: MarkerDaySource
  /** `topic`: the same id in two topics is two events. `group` by default. */
  readonly idScope: 'group' | 'topic'
  /** Around a midnight, events within this time of it are marked in both days. 15 minutes; 0 to 12 hours. */
  readonly overlapMs: number
}

/** How a group consumes. Durations in milliseconds. */
export type ConsumerSettings = IdentitySettings & {
  readonly group: string
  readonly topics: readonly string[]
  /**
   * The most events in one transaction. 500: as many a second as with 1,000, at half the p99 (76 to 140 ms instead of 134
   * to 425 on a busy machine, npm run bench).
   */
  readonly batchRows: number
  /** The most bytes of keys and values in one transaction; one record that is larger goes alone. 8 MiB. */
  readonly batchBytes: number
  /** How long one batch may take before it is aborted and tried again. 60 s. */
  readonly batchTimeoutMs: number
  /** How many topic partitions are worked on at once. 4; each holds a database connection while it works. */
  readonly concurrency: number
  /** What an event of a dropped day becomes: a dead letter, or only a number in the metrics. */
  readonly onExpired: 'dead-letter' | 'skip'
  /** What records that the broker deleted unread do: hold their topic partition until accepted, or only count. */
  readonly onLostRecords: 'wait' | 'continue'
  /** The largest share of handler and decoding failures among a topic partition's last events. Above it, it waits. */
  readonly deadLetterLimit: number
  /** Where a group that is new everywhere begins. */
  readonly startFrom: 'earliest' | 'latest'
  /** How long a stop may take. 20 s. */
  readonly shutdownTimeoutMs: number
  /** How long the broker waits for a member's heartbeat before it gives its partitions away. 10 s. */
  readonly sessionTimeoutMs: number
  /** How long a topic partition that waits loudly waits before it looks again. 30 s. */
  readonly retryWaitMs: number
  /** How many days from today on may be marked, as maintenance makes them. 7. */
  readonly runwayDays: number
  /** The header in which producers number their events, so that gaps are noticed; null: they are not followed. */
  readonly sequenceHeader: string | null
  /**
   * Identity settings of a group with history that may change at this start. Danger: records that are delivered again
   * across the change are applied a second time. None.
   */
  readonly acceptIdentityChange: readonly IdentityName[]
}

/** The settings whose change gives old records new keys. */
export const IDENTITY_NAMES = ['eventId', 'markerDay', 'idScope'] as const

export type IdentityName = (typeof IDENTITY_NAMES)[number]

export const DEFAULT_CONSUMER_SETTINGS = {
  eventId: { kind: 'header', name: 'event-id' },
  markerDay: 'record-timestamp',
  idScope: 'group',
  overlapMs: 15 * 60_000,
  batchRows: 500,
  batchBytes: 8 * 1024 * 1024,
  batchTimeoutMs: 60_000,
  concurrency: 4,
  onExpired: 'dead-letter',
  onLostRecords: 'wait',
  deadLetterLimit: 0.1,
  startFrom: 'earliest',
  shutdownTimeoutMs: 20_000,
  sessionTimeoutMs: 10_000,
  retryWaitMs: 30_000,
  runwayDays: 7,
  sequenceHeader: null,
  acceptIdentityChange: [],
} as const satisfies Omit<ConsumerSettings, 'group' | 'topics'>
