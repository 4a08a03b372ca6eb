import type { Queryable } from '../../postgres/queryable.ts'

/** The newest dead letters that wait, without keys and values. */
export async function listNewestDeadLetters(db: Queryable, limit: number): Promise<NewestDeadLetter[]> {
  const { rows } = await db.query<NewestDeadLetter>(TEXT, [limit])
  return rows
}

export type NewestDeadLetter = {
  readonly group: string
  readonly topic: string
  readonly partition: number
  /** Decimal text. */
  readonly offset: string
  /** As a stranger wrote it; null where the record had none that can be used. */
  readonly eventId: string | null
  readonly reason: string
  readonly error: string | null
  readonly failedAtMs: number
}

const TEXT = `
select consumer_group as "group",
       topic,
       partition,
       "offset",
       event_id as "eventId",
       reason,
       left(error, 500) as error,
       (extract(epoch from failed_at) * 1000)::double precision as "failedAtMs"
  from daymark.dead_letters
 where replayed_at is null
 order by failed_at desc
 limit $1::integer
`
