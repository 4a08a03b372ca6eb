import type { Day } from '../../calendar/period.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** What decides which days may be marked: the fence of the marker table, and today by the database's clock. */
export async function findWindow(
  db: Queryable,
): Promise<{ readonly fence: Day | null; readonly today: Day }> {
  const { rows } = await db.query<{ fence: Day | null; today: Day }>(
    `select (
              select to_char(t.dropped_through, 'YYYY-MM-DD')
                from daymark.maintained_tables t
                join pg_class c on c.relname = t.table_name
                join pg_namespace n on n.oid = c.relnamespace and n.nspname = t.schema_name
               where c.oid = to_regclass('daymark.processed_events')
            ) as fence,
            to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('reading the window: the database answered no row')
  return row
}
