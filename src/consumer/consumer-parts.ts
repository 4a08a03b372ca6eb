import type { KafkaAdmin } from '../kafka/kafka-admin.ts'
import type { Database } from '../postgres/database.ts'
import type { Log } from '../process/log.ts'
import type { ReadyHandler } from './apply-effects.ts'
import type { ConsumerObserver } from './consumer-observer.ts'
import type { ConsumerSettings } from './consumer-settings.ts'

/** All that a running consumer works with. */
export type ConsumerParts = {
  readonly settings: ConsumerSettings
  readonly handler: ReadyHandler
  readonly database: Database
  readonly admin: KafkaAdmin
  readonly log: Log
  readonly observer: ConsumerObserver
  /** Asks maintenance for a run, because a day is missing. */
  readonly requestRun: (reason: string) => Promise<void>
  /** Milliseconds since the epoch, with fractions. */
  readonly clock: () => number
  /** From 0 to 1. */
  readonly chance: () => number
  /** Aborted when what is in hand must be given up. */
  readonly giveUp: AbortSignal
}
