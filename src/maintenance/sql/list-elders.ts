import type { Queryable } from '../../postgres/queryable.ts'
import type { ElderForm } from '../elder.ts'

export type ElderRow = {
  readonly oid: string
  readonly schema: string
  readonly name: string
  readonly form: ElderForm
  readonly adoptedMs: number
  readonly retiredMs: number | null
  /** Whether the table of that name is still the one that was adopted. */
  readonly isThere: boolean
}

/** The tables from before daymark that stand in for its own marker table; none for any other table. */
export async function listElders(db: Queryable, schema: string, table: string): Promise<ElderRow[]> {
  const { rows } = await db.query<ElderRow>(
    `select e.table_oid::text as oid,
            e.schema_name as "schema",
            e.table_name as name,
            e.form,
            (extract(epoch from e.adopted_at) * 1000)::double precision as "adoptedMs",
            (extract(epoch from e.retired_at) * 1000)::double precision as "retiredMs",
            exists (
              select
                from pg_class c
                join pg_namespace n on n.oid = c.relnamespace
               where c.oid = e.table_oid and n.nspname = e.schema_name and c.relname = e.table_name
            ) as "isThere"
       from daymark.elders e
      where to_regclass(format('%I.%I', $1::text, $2::text)) = to_regclass('daymark.processed_events')
      order by e.table_oid`,
    [schema, table],
  )
  return rows
}
