import type { Queryable } from '../postgres/queryable.ts'
import type { Policy } from './policy.ts'
import { findFence } from './sql/find-fence.ts'
import { findTable } from './sql/find-table.ts'
import { listMadeDays } from './sql/list-made-days.ts'
import { listPartitions } from './sql/list-partitions.ts'
import { listPartitionsToDrop } from './sql/list-partitions-to-drop.ts'
import { readClock } from './sql/read-clock.ts'
import type { TableView } from './table-view.ts'

/** Looks at a table: what plans are made from. Takes no lock that anybody could wait for. */
export async function look(db: Queryable, policy: Policy): Promise<TableView> {
  const { schema, table } = policy
  const nowMs = await readClock(db)
  const clockLeadMs = nowMs - Date.now()
  const facts = await findTable(db, schema, table)
  return {
    nowMs,
    clockLeadMs,
    table: facts,
    fence: await findFence(db, schema, table),
    partitions: facts === null ? [] : await listPartitions(db, facts.oid),
    madeDays: await listMadeDays(db, schema, table),
    toDrop: await listPartitionsToDrop(db, schema, table),
  }
}
