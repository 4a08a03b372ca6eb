import type { Day } from '../../calendar/period.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** Writes the first fence of a table and returns the one that stands: another worker may have been first. */
export async function insertFence(db: Queryable, schema: string, table: string, day: Day): Promise<Day> {
  const { rows } = await db.query<{ fence: Day }>(
    `insert into daymark.maintained_tables as t (schema_name, table_name, dropped_through)
     values ($1::text, $2::text, $3::date)
     on conflict (schema_name, table_name)
       do update set dropped_through = coalesce(t.dropped_through, excluded.dropped_through)
     returning to_char(dropped_through, 'YYYY-MM-DD') as fence`,
    [schema, table, day],
  )
  return rows[0]?.fence ?? day
}
