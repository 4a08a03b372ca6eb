import type { Day } from '../../calendar/period.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** Moves the fence back by one day, if it still stands at that day. False where it does not: then nothing has changed. */
export async function moveFenceBack(
  tx: Queryable,
  schema: string,
  table: string,
  day: Day,
): Promise<boolean> {
  const { rows } = await tx.query(
    `update daymark.maintained_tables
        set dropped_through = $3::date - 1
      where schema_name = $1::text
        and table_name = $2::text
        and dropped_through = $3::date
     returning dropped_through`,
    [schema, table, day],
  )
  return rows.length === 1
}
