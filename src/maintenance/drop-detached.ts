import { qualified } from '../postgres/identifier.ts'
import type { Queryable } from '../postgres/queryable.ts'
import { SQLSTATE, sqlstateOf } from '../postgres/sqlstate.ts'
import type { Outcome } from './outcome.ts'
import { deletePartitionToDrop } from './sql/delete-partition-to-drop.ts'
import { findRelation } from './sql/find-relation.ts'
import { hasRowsOutside } from './sql/has-rows-outside.ts'
import { listDependents } from './sql/list-dependents.ts'
import type { StepOf } from './step.ts'
import { StepError } from './step-error.ts'
import type { StepWait } from './step-wait.ts'
import { tryInTransaction } from './try-step.ts'
import type { Work } from './work.ts'

type Target = StepOf<'drop-detached'> | StepOf<'remove-day'>

/**
 * Drops a table that was a partition, if it still is the one that was written down: by OID, by name, standing alone,
 * and holding nothing outside of its days. It is locked first, so that nothing changes between look and drop; by then
 * only a session that names it directly can be in the way.
 */
export async function dropDetached(work: Work, step: Target, wait: StepWait): Promise<Outcome> {
  const patience = { tries: 3, lockTimeoutMs: 2_000, statementTimeoutMs: 0 }
  try {
    return await tryInTransaction(work, wait, patience, async (session) => {
      if ((await findRelation(session, step.oid)) === null) {
        await deletePartitionToDrop(session, step.oid)
        return 'already'
      }
      await assertSame(session, work, step)
      await session.query(`lock table ${qualified(step.schema, step.name)} in access exclusive mode`)
      await assertSame(session, work, step)
      await assertBounds(session, work, step)
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

async function assertSame(session: Queryable, work: Work, step: Target): Promise<void> {
  const relation = await findRelation(session, step.oid)
  const doing = `dropping ${step.schema}.${step.name} (OID ${step.oid})`
  if (relation === null)
    throw new StepError('contended', `${doing}: it has just gone. The next run clears its note`)
  const { parentOid } = relation
  if (parentOid !== null && parentOid === work.facts?.oid) {
    throw new StepError('waiting', `${doing}: its detach is not finished. The next run tries again`)
  }
  if (
    relation.isPlainTable &&
    relation.schema === step.schema &&
    relation.name === step.name &&
    parentOid === null
  )
    return
  const found =
    parentOid === null ? `called ${relation.schema}.${relation.name} now` : 'a partition of another table'
  throw new StepError('refused', `${doing}: it is ${found}. It is left alone`)
}

async function assertBounds(session: Queryable, work: Work, step: Target): Promise<void> {
  const column = work.facts?.keyColumn ?? null
  if (column !== null && !(await hasRowsOutside(session, column, step))) return
  throw new StepError(
    'refused',
    `dropping ${step.schema}.${step.name}: it holds rows outside of ${step.fromDay} to ${step.untilDay}. Look at them; it is left alone`,
  )
}
