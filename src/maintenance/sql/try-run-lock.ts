import type { Queryable } from '../../postgres/queryable.ts'

/** Takes the session's advisory lock of that name, if nobody holds it. */
export async function tryRunLock(session: Queryable, name: string): Promise<boolean> {
  const { rows } = await session.query<{ taken: boolean }>(
    `select pg_try_advisory_lock(hashtextextended($1::text, 0)) as taken`,
    [name],
  )
  return rows[0]?.taken === true
}
