import type { Queryable } from '../../postgres/queryable.ts'

/** The schema of pg_partman; null where the database has not got it. */
export async function findPartmanSchema(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ schema: string }>(
    `select n.nspname as "schema"
       from pg_extension e
       join pg_namespace n on n.oid = e.extnamespace
      where e.extname = 'pg_partman'`,
  )
  return rows[0]?.schema ?? null
}
