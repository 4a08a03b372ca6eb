import type { Queryable } from '../../postgres/queryable.ts'
import type { Blocker } from './list-blockers.ts'

/**
 * The transactions, the oldest first, that have had a lock on a table or a partition of it for a second or longer:
 * a removal that began now would wait for them. Of other roles' sessions a role without `pg_read_all_stats` is not
 * told the age; those are listed too.
 */
export async function listHolders(db: Queryable, tableOid: string): Promise<Blocker[]> {
  const { rows } = await db.query<Blocker>(
    `with held as (
       select distinct l.pid, l.virtualtransaction as transaction
         from pg_locks l
        where l.locktype = 'relation'
          and l.granted
          and l.database = (select oid from pg_database where datname = current_database())
          and l.relation in (select $1::oid
                             union all
                             select inhrelid from pg_inherits where inhparent = $1::oid)
     )
     select coalesce(h.pid, 0) as pid,
            coalesce(a.usename, x.owner) as "user",
            a.application_name as application,
            a.state,
            (extract(epoch from clock_timestamp() - coalesce(a.xact_start, x.prepared)) * 1000)::double precision
              as "ageMs",
            to_char(a.query_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "queryStartedAt"
       from held h
       left join pg_stat_activity a on a.pid = h.pid
       left join pg_locks t
         on h.pid is null and t.pid is null
        and t.locktype = 'transactionid' and t.virtualtransaction = h.transaction
       left join pg_prepared_xacts x on x.transaction = t.transactionid
      where h.pid is distinct from pg_backend_pid()
        and (h.pid is null or a.pid is not null)
        and coalesce(clock_timestamp() - coalesce(a.xact_start, x.prepared) >= interval '1 second', true)
      order by coalesce(a.xact_start, x.prepared) nulls last, h.pid`,
    [tableOid],
  )
  return rows
}
