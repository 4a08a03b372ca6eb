import type { Day } from '../../calendar/period.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** A partition that an earlier run has fenced, and what has become of it. */
export type PartitionToDrop = {
  readonly oid: string
  readonly schema: string
  readonly name: string
  readonly fromDay: Day
  readonly untilDay: Day
  /** Parked until then, by request; null for one that goes as soon as it can. */
  readonly keepUntilMs: number | null
  /**
   * `gone`: no table has this OID. `other`: one has, under another name or in another role. `attached` and `pending`:
   * still a partition of its table. `alone`: detached, and waiting for its drop.
   */
  readonly standing: 'gone' | 'other' | 'attached' | 'pending' | 'alone'
}

export async function listPartitionsToDrop(
  db: Queryable,
  schema: string,
  table: string,
): Promise<PartitionToDrop[]> {
  const { rows } = await db.query<PartitionToDrop>(
    `select d.partition_oid::text as oid,
            d.partition_schema as "schema",
            d.partition_name as name,
            to_char(d.from_day, 'YYYY-MM-DD') as "fromDay",
            to_char(d.until_day, 'YYYY-MM-DD') as "untilDay",
            (extract(epoch from d.keep_until) * 1000)::double precision as "keepUntilMs",
            case
              when c.oid is null then 'gone'
              when c.relkind <> 'r' or c.relname <> d.partition_name or n.nspname <> d.partition_schema then 'other'
              when i.inhrelid is null then 'alone'
              when p.relname <> d.table_name or m.nspname <> d.schema_name then 'other'
              when i.inhdetachpending then 'pending'
              else 'attached'
            end as standing
       from daymark.partitions_to_drop d
       left join pg_class c on c.oid = d.partition_oid
       left join pg_namespace n on n.oid = c.relnamespace
       left join pg_inherits i on i.inhrelid = c.oid
       left join pg_class p on p.oid = i.inhparent
       left join pg_namespace m on m.oid = p.relnamespace
      where d.schema_name = $1::text and d.table_name = $2::text
      order by d.from_day, d.partition_oid`,
    [schema, table],
  )
  return rows
}
