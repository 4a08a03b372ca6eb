import type { Queryable } from '../../../postgres/queryable.ts'

/** Acts as another role until the end of the transaction. */
export async function takeRole(tx: Queryable, role: string): Promise<void> {
  await tx.query(`select set_config('role', $1::text, true)`, [role])
}
