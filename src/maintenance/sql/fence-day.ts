import type { Day } from '../../calendar/period.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** A partition that is about to go, as the plan saw it. */
export type FencedPartition = {
  readonly oid: string
  readonly schema: string
  readonly name: string
  readonly fromDay: Day
  readonly untilDay: Day
}

/**
 * Moves the fence through the days of a partition and writes down that it may be dropped, in one statement. The fence
 * only moves forward. From the commit on no event of those days is applied, whether the partition still stands or not.
 */
export async function fenceDay(
  db: Queryable,
  schema: string,
  table: string,
  target: FencedPartition,
): Promise<void> {
  await db.query(
    `with fence as (
       insert into daymark.maintained_tables as t (schema_name, table_name, dropped_through)
       values ($1::text, $2::text, $7::date - 1)
       on conflict (schema_name, table_name)
         do update set dropped_through = greatest(t.dropped_through, excluded.dropped_through)
       returning schema_name, table_name
     )
     insert into daymark.partitions_to_drop
       (schema_name, table_name, partition_oid, partition_schema, partition_name, from_day, until_day, intent)
     select schema_name, table_name, $3::oid, $4::text, $5::text, $6::date, $7::date, 'drop'
       from fence
     on conflict (partition_oid) do update
       set partition_schema = excluded.partition_schema,
           partition_name = excluded.partition_name,
           from_day = excluded.from_day,
           until_day = excluded.until_day`,
    [schema, table, target.oid, target.schema, target.name, target.fromDay, target.untilDay],
  )
}
