import { keyOf } from '../kafka/kafka-record.ts'
import { countBetween, isBefore, type Offset } from '../kafka/offset.ts'
import type { Beginning } from './begin-reading.ts'
import type { ConsumerObserver } from './consumer-observer.ts'

/**
 * Tells of every lost record once: a loss that waits to be accepted is found again at every look, and after every
 * rebalance, and may have grown meanwhile.
 */
export class LostRecords {
  readonly #observer: ConsumerObserver
  /** Up to where they have been told of. */
  readonly #toldUntil = new Map<string, Offset>()

  constructor(observer: ConsumerObserver) {
    this.#observer = observer
  }

  /** `offset` is the low mark: what lies before it is gone. One that went back is that of a new topic. */
  tell({ topic, partition, offset, lost }: Beginning): void {
    const key = keyOf({ topic, partition })
    const told = this.#toldUntil.get(key)
    this.#toldUntil.set(key, offset)
    const isKnown = told !== undefined && !isBefore(offset, told)
    const count = isKnown ? Math.min(lost, countBetween(told, offset)) : lost
    if (count > 0) this.#observer.recordsLost({ topic, partition, count })
  }
}
