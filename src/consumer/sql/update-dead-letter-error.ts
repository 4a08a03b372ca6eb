import type { Queryable } from '../../postgres/queryable.ts'

/** Writes down why a dead letter could not be replayed. One that has been settled meanwhile is left as it is. */
export async function updateDeadLetterError(
  db: Queryable,
  id: string,
  error: string,
  sqlstate: string | null,
): Promise<void> {
  await db.query(
    `update daymark.dead_letters
        set error = $2::text,
            sqlstate = $3::text
      where id = $1::bigint and replayed_at is null`,
    [id, error, sqlstate],
  )
}
