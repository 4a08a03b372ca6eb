import type { Queryable } from '../../postgres/queryable.ts'

/**
 * How many of the records that were lost before the low mark nobody has counted yet; from now on they are. A loss that
 * waits to be accepted is found again at every look, by every process, and may have grown meanwhile. Zero where a
 * batch holds the row: it is asked again at the next look.
 */
export async function countLoss(
  db: Queryable,
  loss: {
    readonly group: string
    readonly topic: string
    readonly partition: number
    readonly low: string
    readonly lost: number
  },
): Promise<number> {
  const { rows } = await db.query<{ count: string }>(
    `with standing as (
       select p.lost_until
         from daymark.consumer_progress p
        where p.consumer_group = $1::text and p.topic = $2::text and p.partition = $3::integer
          for update skip locked
     )
     update daymark.consumer_progress p
        set lost_until = $4::bigint
       from standing s
      where p.consumer_group = $1::text and p.topic = $2::text and p.partition = $3::integer
        and (s.lost_until is null or s.lost_until < $4::bigint)
      returning least($5::bigint, $4::bigint - s.lost_until) as count`,
    [loss.group, loss.topic, loss.partition, loss.low, loss.lost],
  )
  return Number(rows[0]?.count ?? 0)
}
