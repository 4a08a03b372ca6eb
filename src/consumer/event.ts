import type { Day } from '../calendar/period.ts'
import type { KafkaRecord } from '../kafka/kafka-record.ts'
import type { Offset } from '../kafka/offset.ts'

/** A record with its identity. `valueCrc32` tells whether a copy of the id carries the same value; null: a tombstone. */
export type Event = {
  readonly record: KafkaRecord
  readonly eventId: string
  readonly markerDay: Day
  readonly overlapDay: Day | null
  readonly valueCrc32: number | null
}

/** Why an event was set aside. The database knows the same list. */
export type DeadReason =
  | 'bad-id'
  | 'bad-time'
  | 'undecodable'
  | 'expired'
  | 'future'
  | 'handler'
  | 'id-reused'

/** An event to be set aside, with what a person needs to see why. */
export type DeadEvent = {
  readonly record: KafkaRecord
  readonly eventId: string | null
  /** The days of the markers that stand for it; null where it has none. */
  readonly markerDay: Day | null
  readonly overlapDay: Day | null
  /** The day that it was refused for: dropped already, or not to be marked yet. Null for any other reason. */
  readonly refusedDay: Day | null
  readonly reason: DeadReason
  readonly error: string
  readonly sqlstate: string | null
}

/** Consecutive records of one topic partition, to be recorded in one transaction. */
export type Batch = {
  readonly topic: string
  readonly partition: number
  readonly events: readonly Event[]
  /** Records without an identity: they are dead before anything is looked up. */
  readonly unidentified: readonly DeadEvent[]
  readonly firstOffset: Offset
  /** The last offset that is done when this batch is; the next one to read is one higher. */
  readonly lastOffset: Offset
  readonly lastTimestampMs: number
}
