import type { Queryable } from '../../postgres/queryable.ts'

/**
 * Moves the progress of a topic partition up to the broker's low mark, and adds exactly as many lost records as lie
 * between. Null where it is not behind: then nothing is lost. `high` tells a floor of a topic that was made anew.
 */
export async function acceptLoss(
  db: Queryable,
  place: { readonly group: string; readonly topic: string; readonly partition: number },
  low: string,
  high: string,
): Promise<{ readonly expected: string; readonly lost: string } | null> {
  const { rows } = await db.query<{ expected: string; lost: string }>(
    `with standing as (
       select greatest(p.next_offset, case when p.floor <= $5::bigint then p.floor end) as expected
         from daymark.consumer_progress p
        where p.consumer_group = $1::text and p.topic = $2::text and p.partition = $3::integer
          for update
     )
     update daymark.consumer_progress p
        set next_offset = $4::bigint,
            lost_records = p.lost_records + ($4::bigint - s.expected),
            updated_at = now()
       from standing s
      where p.consumer_group = $1::text and p.topic = $2::text and p.partition = $3::integer
        and s.expected < $4::bigint
      returning s.expected as expected, ($4::bigint - s.expected) as lost`,
    [place.group, place.topic, place.partition, low, high],
  )
  return rows[0] ?? null
}
