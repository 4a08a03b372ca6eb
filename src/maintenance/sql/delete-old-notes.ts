import type { Queryable } from '../../postgres/queryable.ts'

/** How much one run deletes at most. */
const ROWS_PER_RUN = 10_000

/** Deletes what maintenance wrote down and nobody needs any more: steps of 90 days ago, and marks of dropped days. */
export async function deleteOldNotes(db: Queryable): Promise<void> {
  await db.query(
    `with steps as (
       delete from daymark.maintenance_runs
        where id in (select id from daymark.maintenance_runs
                      where recorded_at < now() - interval '90 days'
                      order by recorded_at
                      limit $1::integer)
     )
     delete from daymark.day_marks
      where day < (select min(dropped_through) from daymark.maintained_tables)`,
    [ROWS_PER_RUN],
  )
}
