import type { Policy } from '../maintenance/policy.ts'
import type { Runway } from '../maintenance/runway.ts'
import { findTable } from '../maintenance/sql/find-table.ts'
import { listPartitions } from '../maintenance/sql/list-partitions.ts'
import { listPartitionsToDrop } from '../maintenance/sql/list-partitions-to-drop.ts'
import type { Queryable } from '../postgres/queryable.ts'
import { type TableDay, tableDaysOf } from './table-days.ts'

/** Reads the days of a table from the catalogue; none for a table that is not partitioned. Takes no lock. */
export async function readTableDays(db: Queryable, policy: Policy, runway: Runway): Promise<TableDay[]> {
  if (policy.unpartitioned !== null) return []
  const { schema, table, runwayDays } = policy
  const facts = await findTable(db, schema, table)
  if (facts === null) return []
  const partitions = await listPartitions(db, facts.oid)
  const toDrop = await listPartitionsToDrop(db, schema, table)
  return tableDaysOf({ partitions, toDrop, fence: runway.fence, runwayDays, nowMs: runway.nowMs })
}
