import { Gauge, type Registry } from 'prom-client'
import type { WaitReason } from '../consumer/next-attempt.ts'
import type { ScrapeSource } from './scrape-source.ts'

/** How far a topic partition of this process is behind. */
export type PartitionLag = {
  readonly topic: string
  readonly partition: number
  /** Records between the next one to read and the end. */
  readonly lag: number
  /** When the last record that was recorded was written; null before the first. */
  readonly recordTimestampMs: number | null
  /** Why it waits for a person; null where it reads. */
  readonly waitingFor: string | null
}

/** Each is there from the start, at 0. */
const WAIT_REASONS = [
  'missing-partition',
  'read-only-database',
  'broken-handler-or-schema',
  'too-many-dead-letters',
  'failing-commit',
  'lost-records',
] as const satisfies readonly (WaitReason | 'lost-records')[]

/**
 * Lag in records and in time, of the topic partitions that are this process's now: the others are another's to tell.
 * A lag in time is how old the last recorded record is, and 0 where nothing waits.
 */
export function openLagMetrics(
  registry: Registry,
  readLags: () => readonly PartitionLag[],
  nowMs: () => number,
): ScrapeSource {
  const labelNames = ['topic', 'partition'] as const
  const records = new Gauge({
    name: 'daymark_consumer_lag_records',
    help: 'Records that wait to be read.',
    labelNames,
    registers: [registry],
  })
  const seconds = new Gauge({
    name: 'daymark_consumer_lag_seconds',
    help: 'Age of the last recorded record where others wait behind it.',
    labelNames,
    registers: [registry],
  })
  const waiting = new Gauge({
    name: 'daymark_waiting_topic_partitions',
    help: 'Topic partitions that wait for a person, by the reason.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const clear = (): void => {
    for (const gauge of [records, seconds, waiting]) gauge.reset()
  }
  return {
    name: 'lag',
    clear,
    refresh() {
      clear()
      for (const reason of WAIT_REASONS) waiting.set({ reason }, 0)
      for (const { topic, partition, lag, recordTimestampMs, waitingFor } of readLags()) {
        if (waitingFor !== null) waiting.inc({ reason: waitingFor })
        const labels = { topic, partition: String(partition) }
        records.set(labels, lag)
        if (lag === 0) seconds.set(labels, 0)
        else if (recordTimestampMs !== null)
          seconds.set(labels, Math.max(0, nowMs() - recordTimestampMs) / 1000)
      }
    },
  }
}
