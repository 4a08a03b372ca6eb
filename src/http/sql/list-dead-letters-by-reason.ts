import type { Queryable } from '../../postgres/queryable.ts'

/** How many dead letters wait to be looked at, by group and reason. Reads an index of those alone. */
export async function listDeadLettersByReason(db: Queryable): Promise<DeadLetterCount[]> {
  const { rows } = await db.query<DeadLetterCount>(TEXT)
  return rows
}

export type DeadLetterCount = { readonly group: string; readonly reason: string; readonly waiting: number }

const TEXT = `
select consumer_group as "group",
       reason,
       count(*)::double precision as waiting
  from daymark.dead_letters
 where replayed_at is null
 group by consumer_group, reason
 order by consumer_group, reason
`
