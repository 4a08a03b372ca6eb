import type { Day } from '../../calendar/period.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** The last day whose markers were dropped; null before the first run. */
export async function findFence(db: Queryable, schema: string, table: string): Promise<Day | null> {
  const { rows } = await db.query<{ fence: Day | null }>(
    `select to_char(dropped_through, 'YYYY-MM-DD') as fence
       from daymark.maintained_tables
      where schema_name = $1::text and table_name = $2::text`,
    [schema, table],
  )
  return rows[0]?.fence ?? null
}
