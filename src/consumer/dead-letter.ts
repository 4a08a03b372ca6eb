import type { Day } from '../calendar/period.ts'
import type { DeadReason } from './event.ts'

/** How a dead letter was settled. */
export type ReplayOutcome = 'processed' | 'duplicate' | 'discarded'

/** A dead letter as a list shows it. */
export type DeadLetterLine = {
  /** Decimal text. */
  readonly id: string
  readonly group: string
  readonly topic: string
  readonly partition: number
  readonly offset: string
  readonly eventId: string | null
  readonly reason: DeadReason
  readonly error: string
  readonly failedAtMs: number
  readonly replayOutcome: ReplayOutcome | null
}

/** A dead letter with its whole record: all that is needed to look at it and to replay it. */
export type DeadLetter = DeadLetterLine & {
  /** Decimal text; null where the record's timestamp was beyond what the database can hold. */
  readonly recordTimestampMs: string | null
  /** The days of the markers that stand for it; null where it has none. */
  readonly markerDay: Day | null
  readonly overlapDay: Day | null
  readonly key: Buffer | null
  readonly value: Buffer | null
  /** A pair per value: the header's name, and the value as base64. */
  readonly headers: readonly (readonly [string, string | null])[]
  readonly sqlstate: string | null
  readonly replayedAtMs: number | null
}

/** Which dead letters are meant. What is null does not narrow them. */
export type DeadLetterFilter = {
  readonly group: string | null
  readonly ids: readonly string[] | null
  readonly reasons: readonly DeadReason[] | null
  readonly sinceMs: number | null
  /** Also those that have been replayed or discarded. */
  readonly settled: boolean
}

/** Every reason, in the order of the path of an event. */
export const DEAD_REASONS = [
  'bad-id',
  'bad-time',
  'expired',
  'future',
  'id-reused',
  'undecodable',
  'handler',
] as const satisfies readonly DeadReason[]
