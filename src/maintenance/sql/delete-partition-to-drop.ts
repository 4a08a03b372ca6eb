import type { Queryable } from '../../postgres/queryable.ts'

/** Clears the note of a partition, in the transaction that drops it. */
export async function deletePartitionToDrop(tx: Queryable, oid: string): Promise<void> {
  await tx.query(`delete from daymark.partitions_to_drop where partition_oid = $1::oid`, [oid])
}
