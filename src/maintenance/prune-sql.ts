import type { Day } from '../calendar/period.ts'
import { identifier, qualified } from '../postgres/identifier.ts'
import { boundary } from './partition-ddl.ts'

/** So many rows a statement: enough to be quick, few enough that its locks and its WAL are nothing to anybody. */
export const PRUNE_BATCH_ROWS = 10_000

/**
 * Deletes the oldest rows of before a day, one batch of them. By `= any (array(…))`, which the planner can only carry
 * out by fetching those rows: `in (…)` may become a join with all of the table when its statistics are off. Nothing has
 * to be remembered between two batches, or two runs: what is oldest then goes first again.
 */
export function pruneBatch(
  table: { readonly schema: string; readonly name: string },
  column: { readonly name: string; readonly type: string },
  untilDay: Day,
): string {
  const target = qualified(table.schema, table.name)
  const by = identifier(column.name)
  return [
    `delete from ${target}`,
    ' where ctid = any (array(',
    `   select ctid from ${target}`,
    `    where ${by} < ${boundary(untilDay, column.type)}`,
    `    order by ${by}`,
    `    limit ${PRUNE_BATCH_ROWS}))`,
  ].join('\n')
}
