import { setTimeout as delay } from 'node:timers/promises'
import type { DirectSession } from '../postgres/direct-session.ts'
import { SQLSTATE, sqlstateOf } from '../postgres/sqlstate.ts'
import { begin, commit, rollback } from '../postgres/transaction.ts'
import type { StepWait } from './step-wait.ts'
import { watchWait } from './watch-wait.ts'
import { openWorkSession, type Work } from './work.ts'

/** What one try of a step may take. */
export type Patience = {
  readonly tries: number
  /** The longest wait for one lock. */
  readonly lockTimeoutMs: number
  /** The longest that all of it may take; 0 for no limit. */
  readonly statementTimeoutMs: number
}

const PAUSE_MS = 200

const WORTH_A_RETRY: readonly (string | null)[] = [
  SQLSTATE.lockNotAvailable,
  SQLSTATE.queryCanceled,
  SQLSTATE.deadlockDetected,
]

/**
 * Does something in one short transaction that gives way: it waits for each lock only so long, and begins again a few
 * times. What it did before it lost is rolled back. Each try waits longer before it begins than the one before.
 */
export async function tryInTransaction<Result>(
  work: Work,
  wait: StepWait,
  patience: Patience,
  act: (session: DirectSession) => Promise<Result>,
): Promise<Result> {
  await using session = await openWorkSession(work.direct)
  for (let attempt = 1; ; attempt++) {
    try {
      return await watchWait(work, session.pid, () => inTransaction(session, patience, act), wait.add)
    } catch (error) {
      const isLost = WORTH_A_RETRY.includes(sqlstateOf(error))
      if (!isLost || attempt >= patience.tries || work.signal.aborted) throw error
      await delay(PAUSE_MS * attempt)
    }
  }
}

async function inTransaction<Result>(
  session: DirectSession,
  { lockTimeoutMs, statementTimeoutMs }: Patience,
  act: (session: DirectSession) => Promise<Result>,
): Promise<Result> {
  await begin(session)
  try {
    await session.query(`set local lock_timeout = ${Math.max(1, Math.round(lockTimeoutMs))}`)
    await session.query(`set local statement_timeout = ${Math.round(statementTimeoutMs)}`)
    const result = await act(session)
    await commit(session)
    return result
  } catch (error) {
    await rollback(session)
    throw error
  }
}
