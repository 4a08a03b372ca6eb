import type { Queryable } from '../../postgres/queryable.ts'

/** Forgets how long a topic keeps its records; returns how many rows that were. */
export async function deleteTopicRetention(db: Queryable, topic: string): Promise<number> {
  const { rowCount } = await db.query(TEXT, [topic])
  return rowCount ?? 0
}

const TEXT = `
delete from daymark.topic_retentions
 where topic = $1::text
`
