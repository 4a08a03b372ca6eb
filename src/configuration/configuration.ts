import type { ConsumerSettings } from '../consumer/consumer-settings.ts'
import type { KafkaSettings } from '../kafka/kafka-settings.ts'
import type { Policy } from '../maintenance/policy.ts'
import type { DatabaseSettings } from '../postgres/database-settings.ts'
import type { LogLevel } from '../process/log.ts'

/** All that a command needs to know: made once at start, frozen, and handed down in parts. */
export type Configuration = {
  readonly database: DatabaseSettings
  /** The same database without a pooler between, for maintenance and migrations. */
  readonly maintenanceDatabase: DatabaseSettings
  /** Null where no broker was named. */
  readonly kafka: KafkaSettings | null
  /** Null where no group or no topics were named. */
  readonly consumer: ConsumerSettings | null
  /** The handler's file as an absolute path; null where none was named. */
  readonly handlerPath: string | null
  readonly policies: readonly Policy[]
  readonly http: HttpSettings
  readonly log: { readonly level: LogLevel }
}

export type HttpSettings = {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** What /metrics asks for; null only on loopback. */
  readonly credentials: { readonly user: string; readonly password: string } | null
}

/** Parts of the configuration that a command cannot do without. */
export type Need = 'kafka' | 'consumer' | 'replay-horizon' | 'http'
