import type { TopicPartition } from '../kafka/kafka-record.ts'
import type { DeadReason } from './event.ts'
import type { WaitReason } from './next-attempt.ts'

/** What metrics hear of the consumer. Called on the path of every batch: it must be quick, and must not throw. */
export type ConsumerObserver = {
  batchRecorded(
    batch: TopicPartition & {
      readonly processed: number
      readonly redelivered: number
      readonly republished: number
      readonly dead: Readonly<Partial<Record<DeadReason, number>>>
      /** From BEGIN to the answer of COMMIT. */
      readonly tookMs: number
    },
  ): void
  /** `lagMs`: from the database's commit to the broker's acknowledgement of the offset. */
  offsetCommitted(commit: TopicPartition & { readonly lagMs: number }): void
  recordsLost(loss: TopicPartition & { readonly count: number }): void
  waiting(wait: TopicPartition & { readonly reason: WaitReason | 'lost-records' }): void
  assigned(partitions: readonly TopicPartition[]): void
}

/** An observer that does nothing. */
export const silentObserver: ConsumerObserver = {
  batchRecorded: () => undefined,
  offsetCommitted: () => undefined,
  recordsLost: () => undefined,
  waiting: () => undefined,
  assigned: () => undefined,
}
