import { arrayText } from '../../postgres/array-text.ts'
import type { Queryable } from '../../postgres/queryable.ts'
import type { MarkerKey } from '../outcomes.ts'

/** Takes back markers that this transaction inserted for an event that turned out to be a duplicate. */
export async function deleteMarkers(tx: Queryable, group: string, keys: readonly MarkerKey[]): Promise<void> {
  const days = keys.map(({ markerDay }) => markerDay)
  await tx.query(
    `delete from daymark.processed_events p
      using unnest($2::text[], $3::date[]) as k (event_id, marker_day)
      where p.consumer_group = $1::text
        and p.event_id = k.event_id
        and p.marker_day = k.marker_day
        and p.marker_day = any ($4::date[])`,
    [group, arrayText(keys.map(({ eventId }) => eventId)), arrayText(days), arrayText([...new Set(days)])],
  )
}
