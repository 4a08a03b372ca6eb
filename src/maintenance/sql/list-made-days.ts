import type { Day } from '../../calendar/period.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** The days that runs of the last 90 days have made. */
export async function listMadeDays(db: Queryable, schema: string, table: string): Promise<Day[]> {
  const { rows } = await db.query<{ day: Day }>(
    `select distinct to_char(from_day, 'YYYY-MM-DD') as day
       from daymark.maintenance_runs
      where schema_name = $1::text
        and table_name = $2::text
        and step = 'make-day'
        and outcome = 'done'`,
    [schema, table],
  )
  return rows.map(({ day }) => day)
}
