import type { Queryable } from '../../postgres/queryable.ts'

/** From now on no batch asks the elder; false where that was so already. */
export async function retireElder(tx: Queryable, oid: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update daymark.elders set retired_at = now() where table_oid = $1::oid and retired_at is null`,
    [oid],
  )
  return rowCount === 1
}
