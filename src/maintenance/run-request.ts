import type { DatabaseSettings } from '../postgres/database-settings.ts'
import { type Log, silentLog } from '../process/log.ts'
import { openSender } from './scheduler.ts'

/** Asks for runs. A request while one is queued or running is answered by that one. */
export interface RunRequests extends AsyncDisposable {
  /** `schema.table` of a maintained table: asks for its missing days to be made. */
  request(table: string): Promise<void>
  end(): Promise<void>
}

/** For a process that only asks, such as a consumer that misses a day. */
export async function openRunRequests(
  settings: DatabaseSettings,
  log: Log = silentLog,
): Promise<RunRequests> {
  const sender = await openSender(settings, log)
  return {
    request: (table) => sender.send({ kind: 'make', table, trigger: 'request' }),
    end: () => sender.end(),
    [Symbol.asyncDispose]: () => sender.end(),
  }
}
