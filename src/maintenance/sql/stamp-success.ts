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
    `insert into daymark.maintained_tables as t (schema_name, table_name, made_at, removed_at)
     values ($1::text, $2::text,
             case when $3::text = 'make' then now() end,
             case when $3::text = 'remove' then now() end)
     on conflict (schema_name, table_name)
       do update set made_at = coalesce(excluded.made_at, t.made_at),
                     removed_at = coalesce(excluded.removed_at, t.removed_at)`,
    [schema, table, kind],
  )
}
