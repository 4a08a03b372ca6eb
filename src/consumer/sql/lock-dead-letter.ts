import type { Queryable } from '../../postgres/queryable.ts'

/**
 * Locks a dead letter to the end of the transaction: a second replay of it waits here, and then reads that it is
 * settled. It is read by a statement of its own afterwards. False where the group has no such dead letter.
 */
export async function lockDeadLetter(tx: Queryable, group: string, id: string): Promise<boolean> {
  const { rows } = await tx.query(
    `select id
       from daymark.dead_letters
      where id = $1::bigint and consumer_group = $2::text
        for update`,
    [id, group],
  )
  return rows.length === 1
}
