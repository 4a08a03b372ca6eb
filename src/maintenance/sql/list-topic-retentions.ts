import type { Queryable } from '../../postgres/queryable.ts'
import type { TopicRetention } from '../retention.ts'

export type SeenTopic = TopicRetention & { readonly seenAtMs: number }

/** The settings of topics as they were last seen. */
export async function listTopicRetentions(db: Queryable, topics: readonly string[]): Promise<SeenTopic[]> {
  const { rows } = await db.query<SeenTopic>(
    `select topic,
            retention_ms::double precision as "retentionMs",
            cleanup_policy as "cleanupPolicy",
            (extract(epoch from seen_at) * 1000)::double precision as "seenAtMs"
       from daymark.topic_retentions
      where topic = any ($1::text[])`,
    [topics],
  )
  return rows
}
