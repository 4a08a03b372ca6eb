import type { Queryable } from '../../postgres/queryable.ts'

/** Forgets an elder, in the transaction that drops it. */
export async function deleteElder(tx: Queryable, oid: string): Promise<void> {
  await tx.query('delete from daymark.elders where table_oid = $1::oid', [oid])
}
