import type { Queryable } from '../../postgres/queryable.ts'

/** The table that daymark's own consumers mark in; null before the first migration. */
export async function findMarkerTable(db: Queryable): Promise<{ schema: string; table: string } | null> {
  const { rows } = await db.query<{ schema: string; table: string }>(
    `select n.nspname as "schema", c.relname as "table"
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
      where c.oid = to_regclass('daymark.processed_events')`,
  )
  return rows[0] ?? null
}
