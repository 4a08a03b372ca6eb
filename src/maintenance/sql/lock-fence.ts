import type { Day } from '../../calendar/period.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** Reads the fence and keeps it where it is until the transaction ends: no day can be fenced while it is attached. */
export async function lockFence(tx: Queryable, schema: string, table: string): Promise<Day | null> {
  const { rows } = await tx.query<{ fence: Day | null }>(
    `select to_char(dropped_through, 'YYYY-MM-DD') as fence
       from daymark.maintained_tables
      where schema_name = $1::text and table_name = $2::text
        for share`,
    [schema, table],
  )
  return rows[0]?.fence ?? null
}
