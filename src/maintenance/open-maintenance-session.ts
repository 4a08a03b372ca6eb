import type { DatabaseSettings } from '../postgres/database-settings.ts'
import { type DirectSession, openDirectSession } from '../postgres/direct-session.ts'
import { findBackendPid } from './sql/find-backend-pid.ts'

/** The maintenance connection leads through a pooler. */
export class PooledConnectionError extends Error {
  override readonly name = 'PooledConnectionError'
  readonly code = 'POOLED_CONNECTION'
}

/**
 * Opens the session of a run, and refuses a pooler in between: behind one in transaction mode the next statement may
 * meet another backend, so that a session's lock protects nothing and its timeouts reach other people. A pooler, in any
 * mode, answers the connection with a process id of its own making; so it is seen at once, while a look at whether the
 * session's state survives would be right only as long as nobody else uses the pool.
 */
export async function openMaintenanceSession(direct: DatabaseSettings): Promise<DirectSession> {
  const session = await openDirectSession(direct)
  const backendPid = await findBackendPid(session)
  if (backendPid === session.pid) return session
  await session.end()
  throw new PooledConnectionError(
    'connecting for maintenance: a connection pooler such as PgBouncer stands in between ' +
      `(it promised process ${session.pid}, and process ${backendPid} answered). ` +
      'Set MAINTENANCE_DATABASE_URL to an address of the database itself',
  )
}
