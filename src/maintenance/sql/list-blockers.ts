import type { Queryable } from '../../postgres/queryable.ts'

/** A session that holds another one up. */
export type Blocker = {
  /** 0 for a prepared transaction, which no session holds any more. */
  readonly pid: number
  readonly user: string | null
  readonly application: string | null
  readonly state: string | null
  /** How old its transaction is. */
  readonly ageMs: number | null
  /** When its last statement began, in UTC. */
  readonly queryStartedAt: string | null
}

export async function listBlockers(db: Queryable, pid: number): Promise<Blocker[]> {
  const { rows } = await db.query<Blocker>(
    `select b.pid,
            a.usename as "user",
            a.application_name as application,
            a.state,
            (extract(epoch from clock_timestamp() - coalesce(a.xact_start, a.query_start)) * 1000)::double precision
              as "ageMs",
            to_char(a.query_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "queryStartedAt"
       from (select distinct unnest(pg_blocking_pids($1::integer)) as pid) b
       left join pg_stat_activity a on a.pid = b.pid
      order by b.pid`,
    [pid],
  )
  return rows
}
