import type { Queryable } from '../../postgres/queryable.ts'

/** The topics that the consumers of this database have read. */
export async function listTopics(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ topic: string }>(
    `select distinct topic
       from daymark.consumer_progress
      order by topic`,
  )
  return rows.map(({ topic }) => topic)
}
