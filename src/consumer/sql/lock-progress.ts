import type { Queryable } from '../../postgres/queryable.ts'

export type LockProgressParameters = {
  readonly group: string
  readonly topic: string
  readonly partition: number
  /** What this process has itself seen committed: a row behind it raises DM001. */
  readonly seenOffset: string
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  readonly idleTimeoutMs: number
}

export type LockedProgress = {
  readonly nextOffset: string
  readonly fence: string | null
  readonly today: string
  /** Whether a table from before daymark is to be asked too. */
  readonly hasElders: boolean
}

/** Locks the progress row to the end of the transaction, whose limits it sets, and says what may be marked. */
export async function lockProgress(tx: Queryable, p: LockProgressParameters): Promise<LockedProgress> {
  const { rows } = await tx.query<LockedProgress>(
    `select next_offset as "nextOffset", fence, today, has_elders as "hasElders"
       from daymark.lock_progress($1::text, $2::text, $3::integer, $4::bigint, $5::integer, $6::integer, $7::integer)`,
    [p.group, p.topic, p.partition, p.seenOffset, p.statementTimeoutMs, p.lockTimeoutMs, p.idleTimeoutMs],
  )
  const [row] = rows
  if (row === undefined) throw new Error('locking the progress row: the function answered no row')
  return row
}
