import type { Day } from '../../calendar/period.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/**
 * Counts the events of a day that were refused as expired, settled ones included; none for a table that daymark's own
 * consumers do not mark in. Rows from before `refused_day` are counted by the day of their record.
 */
export async function countRefusedEvents(tx: Queryable, tableOid: string, day: Day): Promise<number> {
  const { rows } = await tx.query<{ found: number }>(
    `select count(*)::integer as found
       from daymark.dead_letters
      where reason = 'expired'
        and coalesce(refused_day, (record_timestamp at time zone 'UTC')::date) = $2::date
        and to_regclass('daymark.processed_events')::oid = $1::oid`,
    [tableOid, day],
  )
  return rows[0]?.found ?? 0
}
