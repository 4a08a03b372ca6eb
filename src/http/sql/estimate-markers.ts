import type { Queryable } from '../../postgres/queryable.ts'

/**
 * About how many markers there are: the larger of the planner's estimate and the live rows that the statistics count,
 * which a crash resets. Counting 400 million rows at every scrape would be the incident that the figure warns of.
 */
export async function estimateMarkers(db: Queryable): Promise<number> {
  const { rows } = await db.query<Row>(TEXT)
  return rows[0]?.markers ?? 0
}

type Row = { readonly markers: number }

const TEXT = `
select coalesce(sum(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid), 0)), 0)::double precision as markers
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
 where i.inhparent = to_regclass('daymark.processed_events')
`
