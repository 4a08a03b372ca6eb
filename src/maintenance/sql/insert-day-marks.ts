import type { Day } from '../../calendar/period.ts'
import type { Offset } from '../../kafka/offset.ts'
import type { Queryable } from '../../postgres/queryable.ts'

/** Notes the high marks of a topic for a day that has ended. The first note stands. */
export async function insertDayMarks(
  db: Queryable,
  topic: string,
  day: Day,
  marks: readonly { readonly partition: number; readonly high: Offset }[],
): Promise<void> {
  await db.query(
    `insert into daymark.day_marks (topic, partition, day, high_mark)
     select $1::text, m.partition, $2::date, m.high_mark
       from unnest($3::integer[], $4::bigint[]) as m (partition, high_mark)
      order by m.partition
     on conflict (topic, partition, day) do nothing`,
    [topic, day, marks.map(({ partition }) => partition), marks.map(({ high }) => high)],
  )
}
