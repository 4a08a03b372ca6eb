import type { Queryable } from '../../postgres/queryable.ts'

/** Settles dead letters as discarded; returns the ids of those that still waited. */
export async function discardDeadLetters(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `update daymark.dead_letters
        set replayed_at = now(),
            replay_outcome = 'discarded'
      where id = any ($1::bigint[]) and replayed_at is null
      returning id`,
    [ids],
  )
  return rows.map(({ id }) => id)
}
