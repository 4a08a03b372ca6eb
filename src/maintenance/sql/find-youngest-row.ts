import { qualified } from '../../postgres/identifier.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** When the youngest row of an elder was written, in milliseconds; null where it is empty. By its index on processed_at. */
export async function findYoungestRow(db: Queryable, schema: string, table: string): Promise<number | null> {
  const { rows } = await db.query<{ youngestMs: number | null }>(
    `select (extract(epoch from max(processed_at)) * 1000)::double precision as "youngestMs"
       from ${qualified(schema, table)}`,
  )
  return rows[0]?.youngestMs ?? null
}
