import type { Queryable } from '../../postgres/queryable.ts'
import type { DeadLetterFilter, DeadLetterLine } from '../dead-letter.ts'

/** Where a page of dead letters begins: after this one, in the order of the list; null for the first. */
export type DeadLetterPlace = Pick<DeadLetterLine, 'topic' | 'partition' | 'offset' | 'id'>

/** Lists a page of dead letters, in the order of the log of each topic partition. */
export async function listDeadLetters(
  db: Queryable,
  filter: DeadLetterFilter,
  after: DeadLetterPlace | null,
  limit: number,
): Promise<DeadLetterLine[]> {
  const { rows } = await db.query<DeadLetterLine>(TEXT, [
    filter.group,
    filter.ids,
    filter.reasons,
    filter.sinceMs,
    filter.settled,
    after?.topic ?? null,
    after?.partition ?? null,
    after?.offset ?? null,
    after?.id ?? null,
    limit,
  ])
  return rows
}

const TEXT = `
select id,
       consumer_group as "group",
       topic,
       partition,
       "offset",
       event_id as "eventId",
       reason,
       error,
       (extract(epoch from failed_at) * 1000)::double precision as "failedAtMs",
       replay_outcome as "replayOutcome"
  from daymark.dead_letters
 where ($1::text is null or consumer_group = $1::text)
   and ($2::bigint[] is null or id = any ($2::bigint[]))
   and ($3::text[] is null or reason = any ($3::text[]))
   and ($4::double precision is null
        or failed_at >= timestamptz 'epoch' + $4::double precision * interval '1 millisecond')
   and ($5::boolean or replayed_at is null)
   and ($6::text is null or (topic, partition, "offset", id) > ($6::text, $7::integer, $8::bigint, $9::bigint))
 order by topic, partition, "offset", id
 limit $10::integer
`
