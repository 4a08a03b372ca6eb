import type { Queryable } from '../../postgres/queryable.ts'
import type { Partition } from '../partition.ts'

/**
 * The partitions of a table, the earliest first, with the default one at the end.
 *
 * `pg_get_expr` writes bounds in the session's DateStyle and TimeZone, so they are read in the same statement, which
 * has the same. MINVALUE stands there without quotes. Sizes are the planner's estimates, because
 * `pg_total_relation_size` would wait behind a detach that is being finished.
 */
export async function listPartitions(db: Queryable, tableOid: string): Promise<Partition[]> {
  const { rows } = await db.query<Partition>(
    `select c.oid::text as oid,
            n.nspname as "schema",
            c.relname as name,
            coalesce((extract(epoch from b.from_at) * 1000)::double precision, '-infinity') as "fromMs",
            coalesce((extract(epoch from b.until_at) * 1000)::double precision, 'infinity') as "untilMs",
            t.bounds = 'DEFAULT' as "isDefault",
            i.inhdetachpending as "isPending",
            nullif(c.reltuples, -1)::double precision as "estimatedRows",
            (c.relpages + coalesce((select sum(x.relpages)
                                      from pg_index s
                                      join pg_class x on x.oid = s.indexrelid
                                     where s.indrelid = c.oid), 0))::double precision
              * current_setting('block_size')::double precision as "estimatedBytes"
       from pg_inherits i
       join pg_class c on c.oid = i.inhrelid
       join pg_namespace n on n.oid = c.relnamespace
       join pg_partitioned_table p on p.partrelid = i.inhparent
       left join pg_attribute a on a.attrelid = i.inhparent and a.attnum = p.partattrs[0] and a.attnum > 0
      cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bounds) t
      cross join lateral (select (regexp_match(t.bounds, 'FROM \\(''([^'']*)''\\)'))[1] as from_text,
                                 (regexp_match(t.bounds, 'TO \\(''([^'']*)''\\)'))[1] as until_text) x
      cross join lateral (
        select case a.atttypid
                 when 'timestamptz'::regtype then x.from_text::timestamptz
                 when 'timestamp'::regtype then x.from_text::timestamp at time zone 'UTC'
                 when 'date'::regtype then x.from_text::date::timestamp at time zone 'UTC'
               end as from_at,
               case a.atttypid
                 when 'timestamptz'::regtype then x.until_text::timestamptz
                 when 'timestamp'::regtype then x.until_text::timestamp at time zone 'UTC'
                 when 'date'::regtype then x.until_text::date::timestamp at time zone 'UTC'
               end as until_at
      ) b
      where i.inhparent = $1::oid
      order by t.bounds = 'DEFAULT', b.from_at nulls first`,
    [tableOid],
  )
  return rows
}
