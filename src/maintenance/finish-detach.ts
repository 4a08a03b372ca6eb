import type { Queryable } from '../postgres/queryable.ts'
import { SQLSTATE, sqlstateOf } from '../postgres/sqlstate.ts'
import type { Outcome } from './outcome.ts'
import { deletePartitionToDrop } from './sql/delete-partition-to-drop.ts'
import { findRelation } from './sql/find-relation.ts'
import type { StepOf } from './step.ts'
import { StepError } from './step-error.ts'
import type { StepWait } from './step-wait.ts'
import { tryInTransaction } from './try-step.ts'
import { partitionsNow, type Work } from './work.ts'

/** FINALIZE ends by itself where nobody is in its way; while it waits, it blocks ATTACH. So: two seconds a try. */
const FINALIZE = { tries: 3, lockTimeoutMs: 2_000, statementTimeoutMs: 2_000 }

/**
 * Finishes a detach that was interrupted. FINALIZE waits for every older snapshot of the database, also for one that
 * only read some other table. Where such snapshots starve it, the way out is to drop the partition while it is
 * pending, which waits for none of them; but that drop asks for a lock that readers and writers of the whole table meet,
 * so it gives up within the stall budget.
 */
export async function finishDetach(
  work: Work,
  step: StepOf<'finish-detach'>,
  wait: StepWait,
): Promise<Outcome> {
  try {
    return await tryInTransaction(work, wait, FINALIZE, async (session): Promise<Outcome> => {
      await session.query(step.finalize)
      return 'done'
    })
  } catch (error) {
    if (!(await isPending(work, step))) return 'already'
    if (!isStarved(error) || step.drop === null || work.signal.aborted) throw error
    return dropPending(work, step, wait, step.drop)
  }
}

function isStarved(error: unknown): boolean {
  const starved: readonly (string | null)[] = [
    SQLSTATE.lockNotAvailable,
    SQLSTATE.queryCanceled,
    SQLSTATE.deadlockDetected,
  ]
  return starved.includes(sqlstateOf(error))
}

async function isPending(work: Work, step: StepOf<'finish-detach'>): Promise<boolean> {
  const partitions = await partitionsNow(work)
  return partitions.some(({ isPending, oid }) => isPending && oid === step.oid)
}

/** By OID and name; the bounds of a pending partition cannot be changed. */
async function assertSame(session: Queryable, work: Work, step: StepOf<'finish-detach'>): Promise<void> {
  const relation = await findRelation(session, step.oid)
  const isSame = relation?.schema === step.schema && relation.name === step.name
  if (isSame && relation.parentOid === work.facts?.oid) return
  throw new StepError(
    'contended',
    `finishing the detach of ${step.name}: it has changed meanwhile. The next run looks again`,
  )
}

async function dropPending(
  work: Work,
  step: StepOf<'finish-detach'>,
  wait: StepWait,
  drop: string,
): Promise<Outcome> {
  const budgetMs = work.policy.stallBudgetMs
  const patience = { tries: 5, lockTimeoutMs: budgetMs / 2, statementTimeoutMs: budgetMs }
  try {
    return await tryInTransaction(work, wait, patience, async (session): Promise<Outcome> => {
      await assertSame(session, work, step)
      await session.query(drop)
      await deletePartitionToDrop(session, step.oid)
      return 'done'
    })
  } catch (cause) {
    if (!isStarved(cause)) throw cause
    const who = wait.blockers.map(({ pid, application }) => `${pid} (${application ?? 'unknown'})`).join(', ')
    const sentence = `finishing the detach of ${step.name}: it waits for ${who || 'another session'}. The next run tries again`
    throw new StepError('waiting', sentence, { cause })
  }
}
