import { ConfigError } from '../configuration/config-error.ts'
import { ConsumerStartError } from '../consumer/start-error.ts'
import { HttpListenError } from '../http/http-listen-error.ts'
import { LocalServerError } from '../local/local-error.ts'
import { RightsError } from '../maintenance/assert-rights.ts'
import { RetentionError } from '../maintenance/interlock.ts'
import { PooledConnectionError } from '../maintenance/open-maintenance-session.ts'
import { JobSchemaError } from '../maintenance/scheduler.ts'
import { RefusedError } from './refused-error.ts'
import { UsageError } from './usage-error.ts'

/** How a command ended that could not do its work: what to tell, and the exit code. */
export type Failure = { readonly exitCode: 1 | 2; readonly sentence: string }

const TO_BE_SET_OTHERWISE = [
  ConfigError,
  ConsumerStartError,
  HttpListenError,
  JobSchemaError,
  LocalServerError,
  PooledConnectionError,
  RefusedError,
  RetentionError,
  RightsError,
  UsageError,
]

/** 2 for what has to be set otherwise, 1 for everything else, whose stack shows where it came from. */
export function failureOf(error: unknown): Failure {
  if (TO_BE_SET_OTHERWISE.some((kind) => error instanceof kind)) {
    return { exitCode: 2, sentence: (error as Error).message }
  }
  if (error instanceof Error) return { exitCode: 1, sentence: error.stack ?? error.message }
  return { exitCode: 1, sentence: String(error) }
}
