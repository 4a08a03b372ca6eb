import type { KafkaSettings } from '../kafka/kafka-settings.ts'
import type { DatabaseSettings } from '../postgres/database-settings.ts'
import type { Log } from '../process/log.ts'
import type { MaintenanceObserver } from './maintenance-observer.ts'

/** What maintenance works with. */
export type MaintenanceParts = {
  /** Reaches the database itself, not a pooler. */
  readonly direct: DatabaseSettings
  /** Null where no topic feeds the tables. */
  readonly kafka: KafkaSettings | null
  readonly log: Log
  readonly observer: MaintenanceObserver
}
