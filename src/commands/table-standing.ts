import { startOfDay } from '../calendar/period.ts'
import { estimateRows } from '../http/sql/estimate-rows.ts'
import type { TableFigures } from '../http/table-metrics.ts'
import { type Policy, tableOf } from '../maintenance/policy.ts'
import { type Runway, readRunway } from '../maintenance/runway.ts'
import { listTopicRetentions } from '../maintenance/sql/list-topic-retentions.ts'
import { topicsOf } from '../maintenance/topics-of.ts'
import type { Queryable } from '../postgres/queryable.ts'
import { findLastSuccess } from './sql/find-last-success.ts'

/** How a table stands: for the metrics and for `status`. */
export type TableStanding = Omit<TableFigures, 'deadLetters'> & Runway

/** Reads how a table stands, from the catalogue and daymark's own tables. Asks no broker and takes no lock. */
export async function readTableStanding(db: Queryable, policy: Policy): Promise<TableStanding> {
  const runway = await readRunway(db, policy)
  const topics = await listTopicRetentions(db, await topicsOf(db, policy))
  const oldestAgeMs = runway.oldestDay === null ? null : runway.nowMs - startOfDay(runway.oldestDay)
  return {
    ...runway,
    ...(await findLastSuccess(db, policy.schema, policy.table)),
    table: tableOf(policy),
    isPartitioned: policy.unpartitioned === null,
    markers: await estimateRows(db, policy.schema, policy.table),
    oldestAgeMs,
    marginMs: marginOf(oldestAgeMs, topics),
    topics,
  }
}

/** By the retention of the topics, not by what the broker still holds. Null while none is known, or where one has no end. */
function marginOf(
  oldestAgeMs: number | null,
  topics: readonly { readonly retentionMs: number | null }[],
): number | null {
  if (oldestAgeMs === null || topics.length === 0) return null
  let longestMs = 0
  for (const { retentionMs } of topics) {
    if (retentionMs === null) return null
    longestMs = Math.max(longestMs, retentionMs)
  }
  return oldestAgeMs - longestMs
}
