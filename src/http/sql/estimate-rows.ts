import type { Queryable } from '../../postgres/queryable.ts'

/**
 * About how many rows a table has, in itself and in its partitions: the larger of the planner's estimate and the live rows that the statistics count,
 * which a crash resets. Counting 400 million rows at every scrape would be the incident that the figure warns of.
 */
export async function estimateRows(db: Queryable, schema: string, table: string): Promise<number> {
  const { rows } = await db.query<Row>(TEXT, [schema, table])
  return rows[0]?.markers ?? 0
}

type Row = { readonly markers: number }

const TEXT = `
select coalesce(sum(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid), 0)), 0)::double precision as markers
  from pg_class t
  join pg_namespace n on n.oid = t.relnamespace
  join pg_class c on c.relkind = 'r' and (c.oid = t.oid or c.oid in (select i.inhrelid from pg_inherits i where i.inhparent = t.oid))
 where n.nspname = $1::text
   and t.relname = $2::text
`
