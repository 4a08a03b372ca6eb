import { SQLSTATE, sqlstateOf } from '../postgres/sqlstate.ts'
import { lockDetached } from './lock-detached.ts'
import type { Outcome } from './outcome.ts'
import { deletePartitionToDrop } from './sql/delete-partition-to-drop.ts'
import { findRelation } from './sql/find-relation.ts'
import { listDependents } from './sql/list-dependents.ts'
import type { StepOf } from './step.ts'
import { StepError } from './step-error.ts'
import type { StepWait } from './step-wait.ts'
import { tryInTransaction } from './try-step.ts'
import type { Work } from './work.ts'

type Target = StepOf<'drop-detached'> | StepOf<'remove-day'>

/** Drops a table that was a partition, if it still is the one that was written down; its note goes with it. */
export async function dropDetached(work: Work, step: Target, wait: StepWait): Promise<Outcome> {
  const patience = { tries: 3, lockTimeoutMs: 2_000, statementTimeoutMs: 0 }
  try {
    return await tryInTransaction(work, wait, patience, async (session) => {
      if ((await findRelation(session, step.oid)) === null) {
        await deletePartitionToDrop(session, step.oid)
        return 'already'
      }
      await lockDetached(session, work, step, 'dropping')
      await session.query(step.drop)
      await deletePartitionToDrop(session, step.oid)
      return 'done'
    })
  } catch (error) {
    if (sqlstateOf(error) !== SQLSTATE.dependentObjects) throw error
    const dependents = (await listDependents(work.session, step.oid)).join(', ') || 'something'
    const sentence = `dropping ${step.schema}.${step.name}: ${dependents} depends on it. Drop that first; daymark never cascades`
    throw new StepError('refused', sentence, { cause: error })
  }
}
