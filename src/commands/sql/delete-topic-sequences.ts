import type { Queryable } from '../../postgres/queryable.ts'

/** Forgets where the producers of a topic were in their numbering. */
export async function deleteTopicSequences(db: Queryable, topic: string): Promise<void> {
  await db.query(TEXT, [topic])
}

const TEXT = `
delete from daymark.producer_sequences
 where topic = $1::text
`
