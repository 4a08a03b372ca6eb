import type { Queryable } from '../../postgres/queryable.ts'

/** The database's clock, in whole milliseconds: the one clock of a run. */
export async function readClock(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ nowMs: number }>(
    `select floor(extract(epoch from clock_timestamp()) * 1000)::double precision as "nowMs"`,
  )
  return rows[0]?.nowMs ?? Number.NaN
}
