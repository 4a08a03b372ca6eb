import type { Queryable } from '../../postgres/queryable.ts'
import type { DeadLetter } from '../dead-letter.ts'

/** Reads a dead letter with its whole record. */
export async function findDeadLetter(db: Queryable, id: string): Promise<DeadLetter | null> {
  const { rows } = await db.query<DeadLetter>(TEXT, [id])
  return rows[0] ?? null
}

const TEXT = `
select id,
       consumer_group as "group",
       topic,
       partition,
       "offset",
       case when isfinite(record_timestamp)
            then round(extract(epoch from record_timestamp) * 1000)::bigint
       end as "recordTimestampMs",
       event_id as "eventId",
       to_char(marker_day, 'YYYY-MM-DD') as "markerDay",
       to_char(overlap_day, 'YYYY-MM-DD') as "overlapDay",
       key,
       value,
       headers,
       reason,
       error,
       sqlstate,
       (extract(epoch from failed_at) * 1000)::double precision as "failedAtMs",
       (extract(epoch from replayed_at) * 1000)::double precision as "replayedAtMs",
       replay_outcome as "replayOutcome"
  from daymark.dead_letters
 where id = $1::bigint
`
