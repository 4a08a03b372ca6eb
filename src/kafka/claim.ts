import { setInterval } from 'node:timers'
import type { EachBatchPayload } from 'kafkajs'
import { kafkaFailureOf } from './kafka-error.ts'
import type { Offset } from './offset.ts'

/** The right to work on the records of one fetch, under the assignment that brought them. */
export interface Claim extends Disposable {
  /** False once the group has rebalanced or is being left: finish what is open, begin nothing. */
  isHeld(): boolean
  /** Where to read has been said anew since these records were fetched: they are not the ones that come next. */
  isStale(): boolean
  /** Says that everything up to this offset has been recorded, so that the next fetch begins after it. */
  resolve(offset: Offset): void
  /** Commits the next offset to read. 'not-ours': the partition has gone to another member; that is no failure. */
  commit(nextOffset: Offset): Promise<'committed' | 'not-ours'>
  /** Fetches nothing more of this topic partition until it is resumed. Other partitions go on. */
  pause(): void
  resume(): void
}

export type ClaimParts = {
  readonly isPresent: () => boolean
  readonly isLeaving: () => boolean
  readonly heartbeatMs: number
  readonly resume: () => void
  readonly commit: (offset: Offset) => Promise<void>
}

/**
 * Heartbeats go out on a timer for as long as the claim lives: kafkajs sends none while a batch is worked on, and a
 * batch that waits for a lock would be taken for dead. A heartbeat that is refused ends the claim; the error itself
 * comes to kafkajs again from its own next heartbeat, which rejoins.
 */
export function claimOf(payload: EachBatchPayload, parts: ClaimParts): Claim {
  let lost = false
  const timer = setInterval(() => {
    payload.heartbeat().catch((error) => {
      if (kafkaFailureOf(error) === 'not-ours') lost = true
    })
  }, parts.heartbeatMs)
  timer.unref()
  return {
    isHeld: () => !lost && !parts.isLeaving() && payload.isRunning() && parts.isPresent(),
    isStale: () => payload.isStale(),
    resolve(offset) {
      // An assignment that has gone takes the place where kafkajs keeps this with it.
      if (parts.isPresent()) payload.resolveOffset(offset)
    },
    async commit(nextOffset) {
      if (!parts.isPresent()) return 'not-ours'
      try {
        await parts.commit(nextOffset)
        return 'committed'
      } catch (error) {
        if (kafkaFailureOf(error) !== 'not-ours') throw error
        lost = true
        return 'not-ours'
      }
    },
    pause: () => void payload.pause(),
    resume: parts.resume,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/** The batch's own commit: the consumer's does nothing, silently, while stopping, and hides the error's type. */
export function commitOf(payload: EachBatchPayload): (offset: Offset) => Promise<void> {
  const { topic, partition } = payload.batch
  return (offset) =>
    payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset }] }] })
}
