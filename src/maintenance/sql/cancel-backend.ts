import type { Queryable } from '../../postgres/queryable.ts'

/** Cancels the statement of a session, if the process id still belongs to a session of that name. */
export async function cancelBackend(db: Queryable, pid: number, application: string): Promise<void> {
  await db.query(
    `select pg_cancel_backend(pid)
       from pg_stat_activity
      where pid = $1::integer and application_name = $2::text`,
    [pid, application],
  )
}
