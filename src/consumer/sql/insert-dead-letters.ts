import { arrayText, numberArrayText } from '../../postgres/array-text.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** Dead letters as columns. Keys and values as hex, headers as JSON text; times in ms, null where out of range. */
export type DeadLetterColumns = {
  readonly offsets: readonly string[]
  readonly recordTimestampsMs: readonly (number | null)[]
  readonly eventIds: readonly (string | null)[]
  readonly markerDays: readonly (string | null)[]
  readonly overlapDays: readonly (string | null)[]
  readonly refusedDays: readonly (string | null)[]
  readonly keys: readonly (string | null)[]
  readonly values: readonly (string | null)[]
  readonly headers: readonly string[]
  readonly reasons: readonly string[]
  readonly errors: readonly string[]
  readonly sqlstates: readonly (string | null)[]
}

/** Sets events aside, in the batch's transaction. A record that stands there already is left as it is. */
export async function insertDeadLetters(
  tx: Queryable,
  group: string,
  topic: string,
  partition: number,
  dead: DeadLetterColumns,
): Promise<void> {
  await tx.query(
    `insert into daymark.dead_letters
       (consumer_group, topic, partition, "offset", record_timestamp, event_id, marker_day, overlap_day, refused_day,
        key, value, headers, reason, error, sqlstate)
     select $1::text, $2::text, $3::integer, d."offset",
            coalesce(timestamptz 'epoch' + d.record_timestamp_ms * interval '1 millisecond', 'infinity'),
            d.event_id, d.marker_day, d.overlap_day, d.refused_day, decode(d.key, 'hex'), decode(d.value, 'hex'),
            d.headers::jsonb, d.reason, d.error, d.sqlstate
       from unnest($4::bigint[], $5::double precision[], $6::text[], $7::date[], $8::date[], $9::date[],
                   $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
         as d ("offset", record_timestamp_ms, event_id, marker_day, overlap_day, refused_day, key, value, headers,
               reason, error, sqlstate)
     on conflict (consumer_group, topic, partition, "offset", record_timestamp) do nothing`,
    [
      group,
      topic,
      partition,
      `{${dead.offsets.join(',')}}`,
      numberArrayText(dead.recordTimestampsMs),
      arrayText(dead.eventIds),
      arrayText(dead.markerDays),
      arrayText(dead.overlapDays),
      arrayText(dead.refusedDays),
      arrayText(dead.keys),
      arrayText(dead.values),
      arrayText(dead.headers),
      arrayText(dead.reasons),
      arrayText(dead.errors),
      arrayText(dead.sqlstates),
    ],
  )
}
