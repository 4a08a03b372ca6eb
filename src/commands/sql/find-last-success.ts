import type { Queryable } from '../../postgres/queryable.ts'

/** When maintenance last did all that there was to do to a table: null for never. */
export async function findLastSuccess(db: Queryable, schema: string, table: string): Promise<LastSuccess> {
  const { rows } = await db.query<LastSuccess>(TEXT, [schema, table])
  return rows[0] ?? { madeAtMs: null, removedAtMs: null }
}

export type LastSuccess = { readonly madeAtMs: number | null; readonly removedAtMs: number | null }

const TEXT = `
select (extract(epoch from made_at) * 1000)::double precision as "madeAtMs",
       (extract(epoch from removed_at) * 1000)::double precision as "removedAtMs"
  from daymark.maintained_tables
 where schema_name = $1::text
   and table_name = $2::text
`
