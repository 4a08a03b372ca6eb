import type { Queryable } from '../../postgres/queryable.ts'

/** Forgets where the groups were in a topic; returns how many rows that were. */
export async function deleteProgress(db: Queryable, topic: string): Promise<number> {
  const { rowCount } = await db.query(TEXT, [topic])
  return rowCount ?? 0
}

const TEXT = `
delete from daymark.consumer_progress
 where topic = $1::text
`
