import type { DirectSession } from '../postgres/direct-session.ts'
import { countDefaultRows } from './count-default-rows.ts'
import { lookAtElders } from './look-at-elders.ts'
import { lookAtRows } from './look-at-rows.ts'
import type { Policy } from './policy.ts'
import { findFence } from './sql/find-fence.ts'
import { findTable } from './sql/find-table.ts'
import { listHolders } from './sql/list-holders.ts'
import { listMadeDays } from './sql/list-made-days.ts'
import { listPartitions } from './sql/list-partitions.ts'
import { listPartitionsToDrop } from './sql/list-partitions-to-drop.ts'
import { readClock } from './sql/read-clock.ts'
import type { TableView } from './table-view.ts'

/** Looks at a table: what plans are made from. Takes no lock that anybody could wait for. */
export async function look(db: DirectSession, policy: Policy): Promise<TableView> {
  const { schema, table } = policy
  const nowMs = await readClock(db)
  const clockLeadMs = nowMs - Date.now()
  const facts = await findTable(db, schema, table)
  const partitions = facts === null ? [] : await listPartitions(db, facts.oid)
  return {
    nowMs,
    clockLeadMs,
    table: facts,
    rows: facts === null ? null : await lookAtRows(db, policy, facts.oid),
    fence: await findFence(db, schema, table),
    partitions,
    defaultRows: await countDefaultRows(db, partitions),
    madeDays: await listMadeDays(db, schema, table),
    toDrop: await listPartitionsToDrop(db, schema, table),
    elders: await lookAtElders(db, schema, table),
    holders: facts === null ? [] : await listHolders(db, facts.oid),
  }
}
