import type { Queryable } from '../../postgres/queryable.ts'
import type { DeadLetter } from '../dead-letter.ts'

export type EventDeadLetter = Pick<
  DeadLetter,
  | 'id'
  | 'group'
  | 'topic'
  | 'partition'
  | 'offset'
  | 'eventId'
  | 'markerDay'
  | 'reason'
  | 'error'
  | 'failedAtMs'
  | 'replayOutcome'
>

/** Finds the dead letters of ids, or of ids that begin so. There are few of them, so no index is kept for this. */
export async function findEventDeadLetters(
  db: Queryable,
  groups: readonly string[],
  eventIds: readonly string[],
  prefix: boolean,
  limit: number,
): Promise<EventDeadLetter[]> {
  const { rows } = await db.query<EventDeadLetter>(TEXT, [groups, eventIds, prefix, limit])
  return rows
}

const TEXT = `
select id,
       consumer_group as "group",
       topic,
       partition,
       "offset",
       event_id as "eventId",
       to_char(marker_day, 'YYYY-MM-DD') as "markerDay",
       reason,
       error,
       (extract(epoch from failed_at) * 1000)::double precision as "failedAtMs",
       replay_outcome as "replayOutcome"
  from daymark.dead_letters d
 where d.consumer_group = any ($1::text[])
   and (
     (not $3::boolean and d.event_id = any ($2::text[]))
     or ($3::boolean and exists (select from unnest($2::text[]) as w (prefix) where starts_with(d.event_id, w.prefix)))
   )
 order by d.event_id, d.id
 limit $4::integer
`
