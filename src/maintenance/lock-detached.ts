import { qualified } from '../postgres/identifier.ts'
import type { Queryable } from '../postgres/queryable.ts'
import { findRelation } from './sql/find-relation.ts'
import { hasRowsOutside } from './sql/has-rows-outside.ts'
import type { StepOf } from './step.ts'
import { StepError } from './step-error.ts'
import type { Work } from './work.ts'

type Target = StepOf<'drop-detached'> | StepOf<'remove-day'> | StepOf<'reattach-day'>

/**
 * Locks a table that was a partition, if it still is the one that was written down: by OID, by name, standing alone,
 * and holding nothing outside of its days. Looked at before and after, so that nothing changes between look and deed;
 * only a session that names the table directly can be in the way.
 */
export async function lockDetached(
  session: Queryable,
  work: Work,
  target: Target,
  verb: string,
): Promise<void> {
  const doing = `${verb} ${target.schema}.${target.name}`
  await assertSame(session, work, target, `${doing} (OID ${target.oid})`)
  await session.query(`lock table ${qualified(target.schema, target.name)} in access exclusive mode`)
  await assertSame(session, work, target, `${doing} (OID ${target.oid})`)
  const column = work.facts?.keyColumn ?? null
  if (column !== null && !(await hasRowsOutside(session, column, target))) return
  throw new StepError(
    'refused',
    `${doing}: it holds rows outside of ${target.fromDay} to ${target.untilDay}. Look at them; it is left alone`,
  )
}

async function assertSame(session: Queryable, work: Work, target: Target, doing: string): Promise<void> {
  const relation = await findRelation(session, target.oid)
  if (relation === null)
    throw new StepError('contended', `${doing}: it has just gone. The next run clears its note`)
  const { parentOid } = relation
  if (parentOid !== null && parentOid === work.facts?.oid) {
    throw new StepError('waiting', `${doing}: its detach is not finished. The next run tries again`)
  }
  if (
    relation.isPlainTable &&
    relation.schema === target.schema &&
    relation.name === target.name &&
    parentOid === null
  )
    return
  const found =
    parentOid === null ? `called ${relation.schema}.${relation.name} now` : 'a partition of another table'
  throw new StepError('refused', `${doing}: it is ${found}. It is left alone`)
}
