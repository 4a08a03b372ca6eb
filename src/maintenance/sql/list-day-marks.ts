import type { Day } from '../../calendar/period.ts'
import type { Offset } from '../../kafka/offset.ts'
import type { Queryable } from '../../postgres/queryable.ts'

export type DayMark = { readonly partition: number; readonly day: Day; readonly high: Offset }

export async function listDayMarks(db: Queryable, topic: string): Promise<DayMark[]> {
  const { rows } = await db.query<DayMark>(
    `select partition,
            to_char(day, 'YYYY-MM-DD') as day,
            high_mark::text as high
       from daymark.day_marks
      where topic = $1::text
      order by partition, day`,
    [topic],
  )
  return rows
}
