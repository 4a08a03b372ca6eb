import { qualified } from '../postgres/identifier.ts'
import { SQLSTATE, sqlstateOf } from '../postgres/sqlstate.ts'
import type { Outcome } from './outcome.ts'
import { deleteElder } from './sql/delete-elder.ts'
import { findRelation } from './sql/find-relation.ts'
import { findYoungestRow } from './sql/find-youngest-row.ts'
import { listDependents } from './sql/list-dependents.ts'
import type { StepOf } from './step.ts'
import { StepError } from './step-error.ts'
import type { StepWait } from './step-wait.ts'
import { tryInTransaction } from './try-step.ts'
import type { Work } from './work.ts'

/** Drops a table from before daymark, if it still is the one that was adopted, and nobody has written to it since. */
export async function dropElder(work: Work, step: StepOf<'drop-elder'>, wait: StepWait): Promise<Outcome> {
  const doing = `dropping ${step.schema}.${step.name} (OID ${step.oid})`
  const patience = { tries: 3, lockTimeoutMs: 2_000, statementTimeoutMs: 0 }
  try {
    return await tryInTransaction(work, wait, patience, async (session): Promise<Outcome> => {
      await session.query(`lock table ${qualified(step.schema, step.name)} in access exclusive mode`)
      const relation = await findRelation(session, step.oid)
      if (relation?.schema !== step.schema || relation.name !== step.name) {
        throw new StepError('refused', `${doing}: it is not the table that was adopted. It is left alone`)
      }
      const youngestMs = step.form === 'keyed' ? await findYoungestRow(session, step.schema, step.name) : null
      if (youngestMs !== null && youngestMs > step.retiredMs) {
        throw new StepError(
          'refused',
          `${doing}: somebody has written into it since it was retired: an old consumer still runs. Stop it; it is left alone`,
        )
      }
      await session.query(step.drop)
      await deleteElder(session, step.oid)
      return 'done'
    })
  } catch (error) {
    if (sqlstateOf(error) !== SQLSTATE.dependentObjects) throw error
    const dependents = (await listDependents(work.session, step.oid)).join(', ') || 'something'
    const sentence = `${doing}: ${dependents} depends on it. Drop that first; daymark never cascades`
    throw new StepError('refused', sentence, { cause: error })
  }
}
