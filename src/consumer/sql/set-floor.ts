import type { Queryable } from '../../postgres/queryable.ts'

/** Sets the offset below which nothing of a topic partition is read. The progress follows when it is read again. */
export async function setFloor(
  db: Queryable,
  place: { readonly group: string; readonly topic: string; readonly partition: number },
  floor: string,
): Promise<void> {
  await db.query(
    `update daymark.consumer_progress
        set floor = $4::bigint,
            updated_at = now()
      where consumer_group = $1::text and topic = $2::text and partition = $3::integer`,
    [place.group, place.topic, place.partition, floor],
  )
}
