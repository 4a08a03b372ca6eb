import { countBetween } from '../kafka/offset.ts'
import type { Reading } from './reading.ts'

/** A topic partition as this process sees it. */
export type ReadingSnapshot = {
  readonly topic: string
  readonly partition: number
  readonly state: 'reading' | 'waiting'
  readonly waitingFor: string | null
  readonly nextOffset: string
  readonly highWatermark: string
  /** Records not yet recorded. */
  readonly lag: number
  readonly recordTimestampMs: number | null
  readonly lastProgressAtMs: number
}

/** What a consumer is doing, for health, metrics and the page. */
export type ConsumerSnapshot = { readonly joined: boolean; readonly partitions: readonly ReadingSnapshot[] }

export function snapshotOf(joined: boolean, readings: readonly Reading[]): ConsumerSnapshot {
  return {
    joined,
    partitions: readings.map((reading) => ({
      topic: reading.topic,
      partition: reading.partition,
      state: reading.waitingFor === null ? 'reading' : 'waiting',
      waitingFor: reading.waitingFor,
      nextOffset: reading.seenOffset,
      highWatermark: reading.highWatermark,
      lag: countBetween(reading.seenOffset, reading.highWatermark),
      recordTimestampMs: reading.recordTimestampMs,
      lastProgressAtMs: reading.lastProgressAtMs,
    })),
  }
}
