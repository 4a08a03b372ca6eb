import type { Queryable } from '../../postgres/queryable.ts'
import type { TopicRetention } from '../retention.ts'

/** Remembers a topic's settings, for when it has vanished or cannot be asked. */
export async function upsertTopicRetention(db: Queryable, topic: TopicRetention): Promise<void> {
  await db.query(
    `insert into daymark.topic_retentions as t (topic, retention_ms, cleanup_policy, seen_at)
     values ($1::text, $2::bigint, $3::text, now())
     on conflict (topic) do update
       set retention_ms = excluded.retention_ms,
           cleanup_policy = excluded.cleanup_policy,
           seen_at = excluded.seen_at`,
    [topic.topic, topic.retentionMs, topic.cleanupPolicy],
  )
}
