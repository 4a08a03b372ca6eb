/**
 * A user's `effect.sql`: one statement that reads `events`, a list of rows that daymark puts before it.
 *
 * Two forms are made of it. `separate` runs after the markers, for the events that turned out to be new. `fused` does
 * it all in one round trip: the markers, then the statement over those that came back, as a CTE of its own, so that
 * the whole can answer which keys were there before.
 */
export type EffectStatement = {
  readonly separate: string
  readonly fused: string
  /** Whether the statement names the column at all: what nobody reads is not sent. */
  readonly reads: { readonly key: boolean; readonly headers: boolean }
}

/** Takes the text apart as far as that is needed; whether it is right, the database says at start (`explain`). */
export function buildEffectStatement(text: string): EffectStatement {
  const body = withoutTrailing(text)
  const own = /^\s*with\s+(recursive\s+)?/i.exec(withoutLeadingComments(body))
  const recursive = own?.[1] === undefined ? '' : 'recursive '
  const rest = own === null ? body : withoutLeadingComments(body).slice(own[0].length)
  return {
    // A nested WITH must hold no INSERT or UPDATE of its own, so lists of CTEs are joined into one where they can be.
    separate: `with ${recursive}events as materialized (\n${SEPARATE_EVENTS}\n)${own === null ? '\n' : ',\n'}${rest}`,
    fused: `with ${FUSED_HEAD},\neffect as (\n${body}\n)\n${CONFLICTS}`,
    reads: { key: /\bkey\b/i.test(body), headers: /\bheaders\b/i.test(body) },
  }
}

const EVENT_COLUMNS = (
  alias: string,
): string => `${alias}.event_id, $1::text as topic, $2::integer as partition,
         ${alias}."offset",
         timestamptz 'epoch' + ${alias}.record_timestamp_ms * interval '1 millisecond' as record_timestamp,
         ${alias}.key, ${alias}.value::jsonb as value, ${alias}.headers::jsonb as headers`

const SEPARATE_EVENTS = `  select ${EVENT_COLUMNS('i')}
    from unnest($3::text[], $4::bigint[], $5::double precision[], $6::text[], $7::text[], $8::text[])
      as i (event_id, "offset", record_timestamp_ms, key, value, headers)`

const FUSED_HEAD = `input as materialized (
  select *
    from unnest($3::text[], $4::bigint[], $5::double precision[], $6::text[], $7::text[], $8::text[],
                $10::date[], $11::integer[], $12::boolean[], $13::date[])
      as i (event_id, "offset", record_timestamp_ms, key, value, headers,
            marker_day, value_crc32, overlap, second_day)
), marked as (
  insert into daymark.processed_events
    (consumer_group, event_id, marker_day, topic, partition, "offset", value_crc32, overlap)
  select $9::text, i.event_id, i.marker_day, $1::text, $2::integer, i."offset", i.value_crc32, i.overlap
    from input i
  on conflict (consumer_group, event_id, marker_day) do nothing
  returning event_id, marker_day
), events as materialized (
  select ${EVENT_COLUMNS('i')}
    from input i
    join marked m on m.event_id = i.event_id and m.marker_day = i.marker_day
    left join marked s on s.event_id = i.event_id and s.marker_day = i.second_day
   where not i.overlap
     and (i.second_day is null or s.event_id is not null)
)`

const CONFLICTS = `select i.event_id as "eventId", to_char(i.marker_day, 'YYYY-MM-DD') as "markerDay"
  from input i
 where not exists (
   select from marked m where m.event_id = i.event_id and m.marker_day = i.marker_day
 )`

function withoutLeadingComments(text: string): string {
  return text.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, '')
}

/** A semicolon at the end would end the statement before daymark's own part; comments after it may hide it. */
function withoutTrailing(text: string): string {
  return text.replace(/(?:\s+|;|--[^\n]*$|\/\*(?:(?!\*\/)[\s\S])*\*\/)+$/, '')
}
