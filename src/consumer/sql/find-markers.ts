import { arrayText } from '../../postgres/array-text.ts'
import type { Queryable } from '../../postgres/queryable.ts'
import type { MarkerKey, StandingMarker } from '../outcomes.ts'

/**
 * Reads markers by key. The distinct days stand as a condition of their own: with them the planner locks and looks
 * at those partitions only, while a join alone would lock every one. Not prepared by name, for the same reason: a
 * generic plan does not prune by an array.
 */
export async function findMarkers(
  tx: Queryable,
  group: string,
  keys: readonly MarkerKey[],
): Promise<StandingMarker[]> {
  const days = keys.map(({ markerDay }) => markerDay)
  const { rows } = await tx.query<StandingMarker>(
    `select p.event_id as "eventId", to_char(p.marker_day, 'YYYY-MM-DD') as "markerDay",
            p.topic, p.partition, p."offset", p.value_crc32 as "valueCrc32"
       from unnest($2::text[], $3::date[]) as k (event_id, marker_day)
       join daymark.processed_events p
         on p.consumer_group = $1::text
        and p.event_id = k.event_id
        and p.marker_day = k.marker_day
      where p.marker_day = any ($4::date[])`,
    [group, arrayText(keys.map(({ eventId }) => eventId)), arrayText(days), arrayText([...new Set(days)])],
  )
  return rows
}
