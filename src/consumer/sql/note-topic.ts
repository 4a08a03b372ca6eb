import type { Queryable } from '../../postgres/queryable.ts'

/** Notes which topic a progress row counts in, where nobody has; later, where a batch holds the row. */
export async function noteTopic(
  db: Queryable,
  place: {
    readonly group: string
    readonly topic: string
    readonly partition: number
    readonly topicId: string
  },
): Promise<void> {
  await db.query(
    `with standing as (
       select from daymark.consumer_progress p
        where p.consumer_group = $1::text and p.topic = $2::text and p.partition = $3::integer
          and p.topic_id is null
          for update skip locked
     )
     update daymark.consumer_progress p
        set topic_id = $4::uuid
       from standing
      where p.consumer_group = $1::text and p.topic = $2::text and p.partition = $3::integer`,
    [place.group, place.topic, place.partition, place.topicId],
  )
}
