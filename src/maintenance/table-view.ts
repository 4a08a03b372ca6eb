import type { Day } from '../calendar/period.ts'
import type { Elder } from './elder.ts'
import type { Partition } from './partition.ts'
import type { TableFacts } from './sql/find-table.ts'
import type { Blocker } from './sql/list-blockers.ts'
import type { PartitionToDrop } from './sql/list-partitions-to-drop.ts'
import type { TableRows } from './table-rows.ts'

/** Rows are counted up to this many: a person asks whether there are any, and about how many. */
export const MOST_COUNTED = 100_000

/** A table as one look at the database found it. The moment is the database's: there is one clock per run. */
export type TableView = {
  readonly nowMs: number
  /** By how much the database's clock is ahead of this process's. */
  readonly clockLeadMs: number
  /** Null where there is no such table. */
  readonly table: TableFacts | null
  /** Null but for a table without partitions, whose old rows are deleted. */
  readonly rows: TableRows | null
  /** The last day whose markers were dropped; null before the first run. */
  readonly fence: Day | null
  readonly partitions: readonly Partition[]
  /** Rows of the default partition, up to {@link MOST_COUNTED}; null where there is none, or they could not be counted in time. */
  readonly defaultRows: number | null
  /** The days that earlier runs have made, as far as it is written down. */
  readonly madeDays: readonly Day[]
  /** What earlier runs have fenced and not yet dropped. */
  readonly toDrop: readonly PartitionToDrop[]
  /** The tables from before daymark that stand in for it; of the marker table alone. */
  readonly elders: readonly Elder[]
  /** Whose transactions have the table in use for a second or longer. */
  readonly holders: readonly Blocker[]
}
