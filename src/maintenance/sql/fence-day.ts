import type { Day } from '../../calendar/period.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** A partition that is about to go, as the plan saw it. */
export type FencedPartition = {
  readonly oid: string
  readonly schema: string
  readonly name: string
  readonly fromDay: Day
  readonly untilDay: Day
  /** Until when it is parked; null where it goes as soon as it can. */
  readonly keepUntilMs: number | null
}

/**
 * Moves the fence through the days of a partition and writes down that it may be dropped, in one statement. The fence
 * only moves forward, and what is parked already is not kept for less. From the commit on no event of those days is applied, whether the partition still stands or not.
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
     insert into daymark.partitions_to_drop as d
       (schema_name, table_name, partition_oid, partition_schema, partition_name, from_day, until_day, intent,
        keep_until)
     select schema_name, table_name, $3::oid, $4::text, $5::text, $6::date, $7::date,
            case when $8::double precision is null then 'drop' else 'park' end,
            timestamptz 'epoch' + $8::double precision * interval '1 millisecond'
       from fence
     on conflict (partition_oid) do update
       set intent = case when excluded.intent = 'park' then 'park' else d.intent end,
           keep_until = greatest(d.keep_until, excluded.keep_until),
           partition_schema = excluded.partition_schema,
           partition_name = excluded.partition_name,
           from_day = excluded.from_day,
           until_day = excluded.until_day`,
    [
      schema,
      table,
      target.oid,
      target.schema,
      target.name,
      target.fromDay,
      target.untilDay,
      target.keepUntilMs,
    ],
  )
}
