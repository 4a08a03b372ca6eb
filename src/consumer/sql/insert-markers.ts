import { arrayText, numberArrayText } from '../../postgres/array-text.ts'
import type { Queryable } from '../../postgres/queryable.ts'
import type { MarkerKey } from '../outcomes.ts'

/** Markers as columns, sorted by (event id, day): two batches take the keys they share in one order. */
export type MarkerColumns = {
  readonly eventIds: readonly string[]
  readonly markerDays: readonly string[]
  readonly offsets: readonly string[]
  readonly valueCrc32s: readonly (number | null)[]
  readonly overlaps: readonly boolean[]
}

/** Inserts markers and returns the keys of those that were there already: nothing, for a batch without duplicates. */
export async function insertMarkers(
  tx: Queryable,
  group: string,
  topic: string,
  partition: number,
  markers: MarkerColumns,
): Promise<MarkerKey[]> {
  const { rows } = await tx.query<MarkerKey>(
    `with input as materialized (
       select *
         from unnest($4::text[], $5::date[], $6::bigint[], $7::integer[], $8::boolean[])
           as i (event_id, marker_day, "offset", value_crc32, overlap)
     ), marked as (
       insert into daymark.processed_events
         (consumer_group, event_id, marker_day, topic, partition, "offset", value_crc32, overlap)
       select $1::text, i.event_id, i.marker_day, $2::text, $3::integer, i."offset", i.value_crc32, i.overlap
         from input i
       on conflict (consumer_group, event_id, marker_day) do nothing
       returning event_id, marker_day
     )
     select i.event_id as "eventId", to_char(i.marker_day, 'YYYY-MM-DD') as "markerDay"
       from input i
      where not exists (
        select from marked m where m.event_id = i.event_id and m.marker_day = i.marker_day
      )`,
    [group, topic, partition, ...markerArrays(markers)],
  )
  return rows
}

/** The columns as PostgreSQL reads arrays, in the order of the statement's parameters. */
export function markerArrays(markers: MarkerColumns): string[] {
  return [
    arrayText(markers.eventIds),
    arrayText(markers.markerDays),
    `{${markers.offsets.join(',')}}`,
    numberArrayText(markers.valueCrc32s),
    `{${markers.overlaps.join(',')}}`,
  ]
}
