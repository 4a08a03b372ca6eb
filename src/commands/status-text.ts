import { minuteOf } from '../calendar/period.ts'
import type { DeadLetterCount } from '../http/sql/list-dead-letters-by-reason.ts'
import { durationText } from '../maintenance/duration-text.ts'
import { alignedText } from './aligned-text.ts'
import type { GroupStanding } from './group-standing.ts'
import type { LastStep } from './sql/list-last-steps.ts'
import type { NewestDeadLetter } from './sql/list-newest-dead-letters.ts'
import type { TableDay } from './table-days.ts'
import type { TableStanding } from './table-standing.ts'
import type { TopicRange } from './topic-ranges.ts'
import type { Verdict } from './verdict.ts'

/** All that `status` tells. */
export type Status = {
  /** The database's clock. */
  readonly nowMs: number
  readonly verdict: Verdict
  readonly tables: readonly (TableStanding & { readonly days: readonly TableDay[] })[]
  /** Empty where the broker could not be asked. */
  readonly topicRanges: readonly TopicRange[]
  readonly groups: readonly GroupStanding[]
  readonly deadLetters: readonly DeadLetterCount[]
  readonly newestDeadLetters: readonly NewestDeadLetter[]
  /** Of maintenance, the newest first. */
  readonly lastSteps: readonly LastStep[]
  /** What could not be asked, and why. */
  readonly complaints: readonly string[]
}

/** The same for people. */
export function statusText({ tables, groups, deadLetters, lastSteps }: Status, nowMs: number): string {
  const letters = deadLetters.map(({ group, reason, waiting }) => [group, reason, String(waiting)])
  return [
    ...tables.map((table) => tableText(table, nowMs)),
    sectionText('groups', groupRows(groups, nowMs), 'none has consumed yet'),
    sectionText('dead letters that wait', letters, 'none'),
    sectionText('last steps of maintenance', lastSteps.map(stepRow), 'none was taken yet'),
  ].join('\n\n')
}

function tableText(table: Status['tables'][number], nowMs: number): string {
  const rows = table.isPartitioned ? partitionedRows(table, nowMs) : prunedRows(table, nowMs)
  const topics = table.topics.map(({ topic, retentionMs }) => [
    topic,
    retentionMs === null
      ? 'keeps its records without limit'
      : `keeps its records for ${durationText(retentionMs)}`,
  ])
  return [
    `${table.table}\n${alignedText(rows, '  ')}`,
    sectionText('topics', topics, 'none seen by maintenance yet'),
  ].join('\n\n')
}

function partitionedRows(table: Status['tables'][number], nowMs: number): string[][] {
  const runway = table.runwayDays < 0 ? 'NO PARTITION FOR TODAY' : `${table.runwayDays} d ahead`
  return [
    ['fence', table.fence ?? 'none yet'],
    ['days', `${table.oldestDay ?? '-'} through ${table.latestDay ?? '-'}, ${table.partitions} partitions`],
    ['runway', runway],
    ['rows', `about ${Math.round(table.markers)}`],
    ['margin', table.marginMs === null ? 'not known' : signedDuration(table.marginMs)],
    ['detach', table.isDetachPending ? 'one is pending: the next run finishes it' : 'none pending'],
    ['days made', agoText(table.madeAtMs, nowMs)],
    ['days removed', agoText(table.removedAtMs, nowMs)],
  ]
}

function prunedRows(table: Status['tables'][number], nowMs: number): string[][] {
  return [
    ['form', 'without partitions: old rows are deleted'],
    ['rows', `about ${Math.round(table.markers)}`],
    ['rows pruned', agoText(table.removedAtMs, nowMs)],
  ]
}

function groupRows(groups: readonly GroupStanding[], nowMs: number): string[][] {
  if (groups.length === 0) return []
  const head = ['group', 'topic', 'partition', 'next', 'committed', 'end', 'lag', 'last record', 'lost']
  const rows = groups.map(({ broker, ...row }) => [
    row.group,
    row.topic,
    String(row.partition),
    row.nextOffset,
    broker === null ? '?' : (broker.committedOffset ?? 'none yet'),
    broker?.high ?? '?',
    broker === null ? '?' : String(broker.lag),
    agoText(row.recordTimestampMs, nowMs),
    row.lostRecords,
  ])
  return [head, ...rows]
}

function stepRow(step: LastStep): string[] {
  const explained = step.error === null ? step.reason : `${step.reason}: ${step.error}`
  return [minuteOf(step.recordedAtMs), step.table, step.trigger, step.outcome, step.step, explained]
}

function sectionText(title: string, rows: readonly string[][], empty: string): string {
  return `${title}\n${rows.length === 0 ? `  ${empty}` : alignedText(rows, '  ')}`
}

function agoText(instantMs: number | null, nowMs: number): string {
  return instantMs === null ? 'never' : `${durationText(Math.max(0, nowMs - instantMs))} ago`
}

function signedDuration(lengthMs: number): string {
  return lengthMs < 0 ? `SHORT BY ${durationText(-lengthMs)}` : durationText(lengthMs)
}
