import type { Queryable } from '../../postgres/queryable.ts'

/** The process id of the backend that answers. */
export async function findBackendPid(session: Queryable): Promise<number> {
  const { rows } = await session.query<{ pid: number }>(`select pg_backend_pid() as pid`)
  return rows[0]?.pid ?? 0
}
