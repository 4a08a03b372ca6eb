import { identifier, qualified } from '../../postgres/identifier.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** The instants of the oldest and the latest row; null where there is none. */
export type TimeSpan = { readonly oldestMs: number | null; readonly latestMs: number | null }

/** Reads both ends of the index on the column. A day counts from its midnight UTC. */
export async function findTimeSpan(
  db: Queryable,
  schema: string,
  table: string,
  column: string,
): Promise<TimeSpan> {
  const name = identifier(column)
  const { rows } = await db.query<TimeSpan>(
    `select (extract(epoch from min(t.${name})) * 1000)::double precision as "oldestMs",
            (extract(epoch from max(t.${name})) * 1000)::double precision as "latestMs"
       from ${qualified(schema, table)} t`,
  )
  return rows[0] ?? { oldestMs: null, latestMs: null }
}
