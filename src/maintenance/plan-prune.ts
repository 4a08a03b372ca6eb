import { addDays, type Day, endOfDay } from '../calendar/period.ts'
import { durationText } from './duration-text.ts'
import { holdOf, oldestRecordText, type TopicEvidence } from './evidence.ts'
import { keepDay } from './keep-day.ts'
import { type Policy, tableOf } from './policy.ts'
import { prunableDays } from './prunable-days.ts'
import { obstaclesToPruning } from './prune-obstacles.ts'
import { PRUNE_BATCH_ROWS, pruneBatch } from './prune-sql.ts'
import { refusal } from './refusal.ts'
import type { Retention } from './retention.ts'
import type { TimeColumn } from './sql/find-time-column.ts'
import type { Step, StepOf } from './step.ts'
import type { TableView } from './table-view.ts'

/**
 * The steps that delete the old rows of a table without partitions: those of whole days, by the same two conditions as
 * a partition's. The retention is over, and the broker has nothing left of what was written by then.
 */
export function planPrune(
  policy: Policy,
  by: string,
  view: TableView,
  topics: readonly TopicEvidence[],
  retention: Retention,
): Step[] {
  const obstacles = obstaclesToPruning(policy, by, view)
  if (obstacles.length > 0) return obstacles.map((reason) => refusal('remove', reason))
  if (!retention.known) return [keepDay(null, `nothing is deleted: ${retention.reason}`)]
  const column = view.rows?.column ?? null
  if (column === null) return []

  const isGiven = policy.retention.kind === 'given'
  const steps: Step[] = []
  for (const day of prunableDays(view, retention)) {
    const holds = topics
      .map((topic) => holdOf(topic, day, view.nowMs, isGiven))
      .filter((hold) => hold !== null)
    if (holds.length === 0)
      return [prune(policy, column, view, day, reasonOf(day, view, retention, topics)), ...steps]
    if (steps.length === 0) steps.push(keepDay(day, `keep the rows of ${day}: ${holds.join('; ')}`))
  }
  return steps
}

function prune(
  policy: Policy,
  column: TimeColumn,
  view: TableView,
  day: Day,
  reason: string,
): StepOf<'prune'> {
  const untilDay = addDays(day, 1)
  const batch = pruneBatch({ schema: policy.schema, name: policy.table }, column, untilDay)
  return {
    kind: 'prune',
    run: 'remove',
    partition: null,
    fromDay: null,
    untilDay,
    reason,
    batch,
    estimatedRows: estimateOf(view, endOfDay(day)),
    sql: [batch],
    lock: `row exclusive on ${tableOf(policy)}, and ${PRUNE_BATCH_ROWS} rows at a time: stops no reader, and no writer of other rows`,
  }
}

function reasonOf(
  day: Day,
  view: TableView,
  retention: Retention & { known: true },
  topics: readonly TopicEvidence[],
): string {
  const estimate = estimateOf(view, endOfDay(day))
  const rows = estimate === null ? 'an unknown number of rows' : `about ${estimate} rows`
  const oldest = oldestRecordText(topics)
  return [
    `delete ${rows} of ${day} and before, oldest first: ended ${durationText(view.nowMs - endOfDay(day))} ago`,
    `retention ${durationText(retention.ms)} from ${retention.from}`,
    ...(oldest === null ? [] : [`broker's oldest record ${oldest}`]),
  ].join('; ')
}

/** By the share of the time that the rows span: counting them would read what is to be deleted twice. */
function estimateOf({ rows }: TableView, untilMs: number): number | null {
  if (rows === null || rows.oldestMs === null || rows.latestMs === null) return null
  const total = rows.column?.estimatedRows ?? null
  const spanMs = rows.latestMs - rows.oldestMs
  if (total === null || !Number.isFinite(spanMs)) return null
  if (rows.latestMs < untilMs) return Math.round(total)
  return Math.round(total * ((untilMs - rows.oldestMs) / spanMs))
}
