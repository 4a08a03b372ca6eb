import type { Day } from '../../calendar/period.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** A marker as a person reads it. */
export type EventMarker = {
  readonly group: string
  readonly eventId: string
  readonly markerDay: Day
  readonly topic: string
  readonly partition: number
  readonly offset: string
  readonly processedAtMs: number
  /** The second marker of an event near midnight. */
  readonly overlap: boolean
}

/**
 * Finds the markers of ids in some groups and days. Groups and days stand as conditions: with them it is one look at
 * the key of each of those partitions, and no other is locked. `prefix`: ids that begin so, and so only the first few.
 */
export async function findEventMarkers(
  db: Queryable,
  wanted: {
    readonly groups: readonly string[]
    readonly eventIds: readonly string[]
    readonly prefix: boolean
    readonly days: readonly Day[]
    readonly limit: number
  },
): Promise<EventMarker[]> {
  const { rows } = await db.query<EventMarker>(wanted.prefix ? BY_PREFIX : BY_ID, [
    wanted.groups,
    wanted.eventIds,
    wanted.days,
    wanted.limit,
  ])
  return rows
}

const COLUMNS = `
select p.consumer_group as "group",
       p.event_id as "eventId",
       to_char(p.marker_day, 'YYYY-MM-DD') as "markerDay",
       p.topic,
       p.partition,
       p."offset",
       (extract(epoch from p.processed_at) * 1000)::double precision as "processedAtMs",
       p.overlap
  from daymark.processed_events p`

const BY_ID = `${COLUMNS}
 where p.consumer_group = any ($1::text[])
   and p.event_id = any ($2::text[])
   and p.marker_day = any ($3::date[])
 order by p.consumer_group, p.event_id, p.marker_day
 limit $4::integer
`

// A range of the key, which an index in the order of "C" finds at once; no character comes after U+10FFFF.
const BY_PREFIX = `
select m.*
  from unnest($1::text[]) as g (consumer_group)
 cross join unnest($2::text[]) as w (prefix)
 cross join lateral (${COLUMNS}
 where p.consumer_group = g.consumer_group
   and p.event_id >= w.prefix
   and p.event_id <= w.prefix || chr(1114111)
   and p.marker_day = any ($3::date[])
 order by p.event_id
 limit $4::integer
) as m
 order by m."group", m."eventId", m."markerDay"
 limit $4::integer
`
