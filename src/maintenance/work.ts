import type { DatabaseSettings } from '../postgres/database-settings.ts'
import { type DirectSession, openDirectSession } from '../postgres/direct-session.ts'
import type { Log } from '../process/log.ts'
import type { MaintenanceObserver } from './maintenance-observer.ts'
import type { MaintenanceParts } from './maintenance-parts.ts'
import type { Partition } from './partition.ts'
import { type Policy, tableOf } from './policy.ts'
import type { RunLock } from './run-lock.ts'
import type { TableFacts } from './sql/find-table.ts'
import { listPartitions } from './sql/list-partitions.ts'
import { StepError } from './step-error.ts'
import type { TableView } from './table-view.ts'

/** What the steps of a run work with. */
export type Work = {
  readonly direct: DatabaseSettings
  /** The session that holds the lock of the run. Looks, notes and watches; it changes no table. */
  readonly session: DirectSession
  readonly policy: Policy
  /** Null where there is no such table; then every step of the plan is a refusal. */
  readonly facts: TableFacts | null
  readonly hasDefault: boolean
  readonly signal: AbortSignal
  readonly log: Log
  readonly observer: MaintenanceObserver
  /** Rejects where the lock of the run is not held any more. */
  assertLocked(): Promise<void>
}

/**
 * Opens a session for the statements of one step, closed after it: no timeout of one step can leak into another, nor
 * into a pool. Timeouts that the role or the database sets are taken off; each step sets its own. A server whose client
 * has vanished notices within ten seconds.
 */
export async function openWorkSession(direct: DatabaseSettings): Promise<DirectSession> {
  const session = await openDirectSession(direct)
  await session.query('set statement_timeout = 0')
  await session.query('set lock_timeout = 0')
  await session.query(`set idle_in_transaction_session_timeout = '60s'`)
  await session.query(`set client_connection_check_interval = '10s'`)
  return session
}

/** What the steps of a plan need, from what was looked at for it. */
export function workOf(
  parts: MaintenanceParts,
  session: DirectSession,
  policy: Policy,
  view: TableView,
  lock: RunLock & { readonly isHeld: true },
  signal: AbortSignal,
): Work {
  return {
    direct: parts.direct,
    session,
    policy,
    facts: view.table,
    hasDefault: view.partitions.some(({ isDefault }) => isDefault),
    signal,
    observer: parts.observer,
    log: parts.log.child({ table: tableOf(policy) }),
    assertLocked: () => lock.assertHeld(),
  }
}

/** The partitions as they stand now. */
export async function partitionsNow({ session, facts, policy }: Work): Promise<Partition[]> {
  if (facts === null) throw new StepError('refused', `looking at ${tableOf(policy)}: there is no such table`)
  return listPartitions(session, facts.oid)
}
