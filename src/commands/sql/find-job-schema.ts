import type { Queryable } from '../../postgres/queryable.ts'

/** Whether pg-boss has its schema here. */
export async function findJobSchema(db: Queryable, jobSchema: string): Promise<boolean> {
  const { rows } = await db.query<Row>(TEXT, [jobSchema])
  return rows[0]?.isThere ?? false
}

type Row = { readonly isThere: boolean }

const TEXT = `
select exists (
  select
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = $1::text
     and c.relname = 'version'
) as "isThere"
`
