import type { Queryable } from '../../postgres/queryable.ts'

/**
 * Sets the progress of a topic partition outright, which alone may lower it, and adds to its lost records. A floor
 * above it goes: the topic was made anew, and the floor, which counts in the old one, would skip records of the new.
 * So does what was counted as lost.
 */
export async function setProgress(
  db: Queryable,
  progress: {
    readonly group: string
    readonly topic: string
    readonly partition: number
    readonly nextOffset: string
    readonly lost: number
    /** Absent or null: as it stands. */
    readonly topicId?: string | null
  },
): Promise<void> {
  await db.query(
    `insert into daymark.consumer_progress as p (consumer_group, topic, partition, next_offset, lost_records, topic_id)
     values ($1::text, $2::text, $3::integer, $4::bigint, $5::bigint, $6::uuid)
     on conflict (consumer_group, topic, partition) do update
        set next_offset = excluded.next_offset,
            floor = case when p.floor <= excluded.next_offset then p.floor end,
            lost_until = case when p.lost_until <= excluded.next_offset then p.lost_until end,
            topic_id = coalesce(excluded.topic_id, p.topic_id),
            lost_records = p.lost_records + excluded.lost_records,
            updated_at = now()`,
    [
      progress.group,
      progress.topic,
      progress.partition,
      progress.nextOffset,
      progress.lost,
      progress.topicId ?? null,
    ],
  )
}
