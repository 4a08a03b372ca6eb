import type { DirectSession } from '../postgres/direct-session.ts'
import { type Policy, type RunKind, tableOf } from './policy.ts'
import { findLockHolder, type LockHolder } from './sql/find-lock-holder.ts'
import { tryRunLock } from './sql/try-run-lock.ts'
import { StepError } from './step-error.ts'

/** The lock of a run: there is one for each table and kind, held by a session and gone with it. */
export type RunLock =
  | { readonly isHeld: true; assertHeld(): Promise<void> }
  | { readonly isHeld: false; readonly holder: LockHolder | null }

/** Takes the lock, or says who holds it. */
export async function takeRunLock(session: DirectSession, policy: Policy, kind: RunKind): Promise<RunLock> {
  const name = `daymark:${kind}:${tableOf(policy)}`
  if (!(await tryRunLock(session, name)))
    return { isHeld: false, holder: await findLockHolder(session, name) }
  return {
    isHeld: true,
    async assertHeld() {
      const holder = await findLockHolder(session, name)
      if (holder?.pid === session.pid) return
      throw new StepError(
        'failed',
        `maintaining ${tableOf(policy)}: the lock of this run is not held any more. Nothing further is done`,
      )
    },
  }
}
