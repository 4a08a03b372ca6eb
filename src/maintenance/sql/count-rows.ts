import { qualified } from '../../postgres/identifier.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** Counts the rows of a table up to a bound, so that a large one costs no more than that. */
export async function countRows(db: Queryable, schema: string, table: string, most: number): Promise<number> {
  const { rows } = await db.query<{ found: number }>(
    `select count(*)::integer as found
       from (select from ${qualified(schema, table)} limit $1::integer) t`,
    [most],
  )
  return rows[0]?.found ?? 0
}
