import type { Queryable } from '../../postgres/queryable.ts'

/** Sets the limits of the open transaction, so that they also hold behind a pooler. */
export async function limitTransaction(
  tx: Queryable,
  limits: {
    readonly statementTimeoutMs: number
    readonly lockTimeoutMs: number
    readonly idleTimeoutMs: number
  },
): Promise<void> {
  await tx.query(
    `select set_config('statement_timeout', $1::integer::text, true),
            set_config('lock_timeout', $2::integer::text, true),
            set_config('idle_in_transaction_session_timeout', $3::integer::text, true)`,
    [limits.statementTimeoutMs, limits.lockTimeoutMs, limits.idleTimeoutMs],
  )
}
