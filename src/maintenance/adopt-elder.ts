import type { Outcome } from './outcome.ts'
import { findRelation } from './sql/find-relation.ts'
import type { StepOf } from './step.ts'
import { StepError } from './step-error.ts'
import type { StepWait } from './step-wait.ts'
import { tryInTransaction } from './try-step.ts'
import type { Work } from './work.ts'

/**
 * Makes a table from before daymark an elder, in one transaction: from its commit on every batch that begins asks it.
 * Old writers that cannot be refused by a key are blocked first, once those that are under way have ended.
 */
export async function adoptElder(work: Work, step: StepOf<'adopt-elder'>, wait: StepWait): Promise<Outcome> {
  const patience = { tries: 5, lockTimeoutMs: 2_000, statementTimeoutMs: 60_000 }
  return tryInTransaction(work, wait, patience, async (session): Promise<Outcome> => {
    const relation = await findRelation(session, step.oid)
    if (relation?.schema !== step.schema || relation.name !== step.name) {
      throw new StepError(
        'refused',
        `adopting ${step.schema}.${step.name}: it has another name now, or is gone. Look at it, and try again`,
      )
    }
    // The last one writes down the moment, by the clock and not by the transaction's beginning: no old writer is later.
    for (const statement of step.sql) await session.query(statement)
    return 'done'
  })
}
