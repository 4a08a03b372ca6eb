import type { Queryable } from '../../../postgres/queryable.ts'

/** Whether the server has a database of this name. */
export async function findDatabase(db: Queryable, name: string): Promise<boolean> {
  const { rows } = await db.query<Row>(TEXT, [name])
  return rows[0]?.isThere ?? false
}

type Row = { readonly isThere: boolean }

const TEXT = `
select exists (
  select
    from pg_database
   where datname = $1::text
) as "isThere"
`
