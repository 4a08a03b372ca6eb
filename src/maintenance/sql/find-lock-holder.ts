import type { Queryable } from '../../postgres/queryable.ts'

/** The session that holds an advisory lock. */
export type LockHolder = {
  readonly pid: number
  readonly user: string | null
  readonly application: string | null
  readonly client: string | null
  /** How long ago it last did anything. */
  readonly idleMs: number | null
}

/** Null where nobody holds it. `pg_locks` shows a 64-bit key in two halves, with objsubid 1. */
export async function findLockHolder(session: Queryable, name: string): Promise<LockHolder | null> {
  const { rows } = await session.query<LockHolder>(
    `select l.pid,
            a.usename as "user",
            a.application_name as application,
            host(a.client_addr) as client,
            (extract(epoch from clock_timestamp() - a.state_change) * 1000)::double precision as "idleMs"
       from pg_locks l
       left join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory'
        and l.granted
        and l.database = (select oid from pg_database where datname = current_database())
        and l.objsubid = 1
        and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended($1::text, 0)`,
    [name],
  )
  return rows[0] ?? null
}
