import { codeOf, withoutComments } from './sql-text.ts'

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
  readonly reads: ReadColumns
}

/** The forms of a statement, with what has to be looked at before it is run. */
export type EffectForms = Omit<EffectStatement, 'reads'> & {
  /** Only ever explained: {@link readColumns} finds in its plan which columns of `events` are read at all. */
  readonly probe: string
  /** Parameters of its own, such as `$1`: nobody gives them a value. */
  readonly parameters: readonly string[]
}

/** Which of the costlier columns of `events` a statement reads: what nobody reads is not sent. */
export type ReadColumns = { readonly key: boolean; readonly headers: boolean }

/** Takes the text apart as far as that is needed; whether it is right, the database says at start (`explain`). */
export function buildEffectStatement(text: string): EffectForms {
  // A semicolon at the end would end the statement before daymark's own part.
  const body = withoutComments(text)
    .trimStart()
    .replace(/[\s;]+$/, '')
  const own = /^with\s+(recursive\s+)?/i.exec(body)
  const recursive = own?.[1] === undefined ? '' : 'recursive '
  // A nested WITH must hold no INSERT or UPDATE of its own, so lists of CTEs are joined into one where they can be.
  const rest = own === null ? `\n${body}` : `,\n${body.slice(own[0].length)}`
  return {
    separate: `with ${recursive}events as materialized (\n${eventsFrom('i.key', 'i.headers')}\n)${rest}`,
    fused: `with ${FUSED_HEAD},\ndaymark_effect as (\n${body}\n)\n${CONFLICTS}`,
    probe: `with ${recursive}events as not materialized (\n${eventsFrom(...PROBED)}\n)${rest}`,
    parameters: [...new Set(codeOf(text).match(/(?<![\w$])\$\d+/g) ?? [])],
  }
}

/**
 * Reads from the plan of the probe which columns are read. The text cannot tell: `select *` and `to_jsonb(e)` name
 * none. A plan does not show what a MERGE does with a row, so there it is all of them.
 */
export function readColumns(plan: string): ReadColumns {
  const isMerge = /"Operation": *"Merge"/.test(plan)
  return { key: isMerge || plan.includes(KEY_IS_READ), headers: isMerge || plan.includes(HEADERS_ARE_READ) }
}

const KEY_IS_READ = 'daymark: the key is read'
const HEADERS_ARE_READ = 'daymark: the headers are read'
const PROBED = [`i.key || '${KEY_IS_READ}'`, `(i.headers || '${HEADERS_ARE_READ}')`] as const

function columnsOf(key: string, headers: string): string {
  return `i.event_id, $1::text as topic, $2::integer as partition, i."offset",
         timestamptz 'epoch' + i.record_timestamp_ms * interval '1 millisecond' as record_timestamp,
         ${key} as key, i.value::jsonb as value, ${headers}::jsonb as headers`
}

function eventsFrom(key: string, headers: string): string {
  return `  select ${columnsOf(key, headers)}
    from unnest($3::text[], $4::bigint[], $5::double precision[], $6::text[], $7::text[], $8::text[])
      as i (event_id, "offset", record_timestamp_ms, key, value, headers)`
}

// Its names are seen by the user's statement, which may well have a table called "input".
const FUSED_HEAD = `daymark_input as materialized (
  select *
    from unnest($3::text[], $4::bigint[], $5::double precision[], $6::text[], $7::text[], $8::text[],
                $10::date[], $11::integer[], $12::boolean[], $13::date[])
      as i (event_id, "offset", record_timestamp_ms, key, value, headers,
            marker_day, value_crc32, overlap, second_day)
), daymark_marked as (
  insert into daymark.processed_events
    (consumer_group, event_id, marker_day, topic, partition, "offset", value_crc32, overlap)
  select $9::text, i.event_id, i.marker_day, $1::text, $2::integer, i."offset", i.value_crc32, i.overlap
    from daymark_input i
  on conflict (consumer_group, event_id, marker_day) do nothing
  returning event_id, marker_day
), events as materialized (
  select ${columnsOf('i.key', 'i.headers')}
    from daymark_input i
    join daymark_marked m on m.event_id = i.event_id and m.marker_day = i.marker_day
    left join daymark_marked s on s.event_id = i.event_id and s.marker_day = i.second_day
   where not i.overlap
     and (i.second_day is null or s.event_id is not null)
   -- As in the separate form: the joins would give them in the order of their hashes.
   order by i."offset"
)`

const CONFLICTS = `select i.event_id as "eventId", to_char(i.marker_day, 'YYYY-MM-DD') as "markerDay"
  from daymark_input i
 where not exists (
   select from daymark_marked m where m.event_id = i.event_id and m.marker_day = i.marker_day
 )`
