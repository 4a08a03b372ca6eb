import type { Queryable } from '../../postgres/queryable.ts'
import type { RunKind } from '../policy.ts'

/** Notes that a run of that kind has succeeded just now: what an alarm looks at. */
export async function stampSuccess(
  db: Queryable,
  schema: string,
  table: string,
  kind: RunKind,
): Promise<void> {
  await db.query(
    `update daymark.maintained_tables
        set made_at = case when $3::text = 'make' then now() else made_at end,
            removed_at = case when $3::text = 'remove' then now() else removed_at end
      where schema_name = $1::text and table_name = $2::text`,
    [schema, table, kind],
  )
}
