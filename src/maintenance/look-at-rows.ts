import type { Queryable } from '../postgres/queryable.ts'
import { DAY_KEY_TYPES } from './obstacles.ts'
import type { Policy } from './policy.ts'
import { findTimeColumn } from './sql/find-time-column.ts'
import { findTimeSpan } from './sql/find-time-span.ts'
import type { TableRows } from './table-rows.ts'

/**
 * Looks at the rows of a table that is to be pruned; only at their ends, and only where an index leads there. Null for
 * a table whose days are dropped.
 */
export async function lookAtRows(db: Queryable, policy: Policy, tableOid: string): Promise<TableRows | null> {
  if (policy.unpartitioned === null) return null
  const column = await findTimeColumn(db, tableOid, policy.unpartitioned.by)
  const isReadable =
    column?.isPlainTable && column.hasIndex && column.mayDelete && DAY_KEY_TYPES.includes(column.type)
  if (!isReadable) return { column, oldestMs: null, latestMs: null }
  return { column, ...(await findTimeSpan(db, policy.schema, policy.table, column.name)) }
}
