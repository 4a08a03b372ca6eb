import type { TopicPartition } from '../kafka/kafka-record.ts'
import type { Offset } from '../kafka/offset.ts'
import type { WaitReason } from './next-attempt.ts'

/**
 * What this process knows of a topic partition that it reads:
 *
 *   reading <-> waiting (loudly: something must change first, then it goes on by itself)
 */
export type Reading = TopicPartition & {
  /** The offset after the last record that this process has seen committed. */
  seenOffset: Offset
  /** The topic that its offsets count in; null where the broker does not say. */
  topicId: string | null
  /** Another topic of that name has taken its place: it is to be read from the first record of that. */
  isOfOldTopic: boolean
  highWatermark: Offset
  /** Nothing is read below it; as the database said when it was last looked at. */
  floor: Offset | null
  recordTimestampMs: number | null
  waitingFor: WaitReason | 'lost-records' | null
  /** How often in a row it has had to wait. */
  waits: number
  /** When something was last recorded, or found to be up to date. */
  lastProgressAtMs: number
  /** The last commit of its offset failed: the broker is behind what was recorded. */
  isUncommitted: boolean
  /** How many batches of it are being worked on: 0 or 1. */
  inHand: number
  /** New events and failures among them, of the last batches. */
  recent: { readonly fresh: number; readonly failed: number }[]
}

export function newReading(place: TopicPartition, offset: Offset, nowMs: number): Reading {
  return {
    topic: place.topic,
    partition: place.partition,
    seenOffset: offset,
    topicId: null,
    isOfOldTopic: false,
    highWatermark: offset,
    floor: null,
    recordTimestampMs: null,
    waitingFor: null,
    waits: 0,
    lastProgressAtMs: nowMs,
    isUncommitted: false,
    inHand: 0,
    recent: [],
  }
}
