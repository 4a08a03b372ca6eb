import type { Queryable } from '../../postgres/queryable.ts'

/** Forgets the marks of a topic's days: in a topic made anew under its name they would prove what is not so. */
export async function deleteDayMarks(db: Queryable, topic: string): Promise<number> {
  const { rowCount } = await db.query(TEXT, [topic])
  return rowCount ?? 0
}

const TEXT = `
delete from daymark.day_marks
 where topic = $1::text
`
