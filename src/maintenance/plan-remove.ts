import { addDays, endOfDay, minuteOf } from '../calendar/period.ts'
import { durationText } from './duration-text.ts'
import { holdOf, oldestRecordText, type TopicEvidence } from './evidence.ts'
import { keepDay } from './keep-day.ts'
import { obstaclesTo } from './obstacles.ts'
import { dayOfPartition } from './partition.ts'
import { detachPartition, dropTable } from './partition-ddl.ts'
import { planElders } from './plan-elders.ts'
import { planFinish } from './plan-finish.ts'
import { type Policy, tableOf } from './policy.ts'
import { refusal } from './refusal.ts'
import { type RemovableDay, removableDays } from './removable-days.ts'
import { isUnlimited, type Retention } from './retention.ts'
import type { PartitionToDrop } from './sql/list-partitions-to-drop.ts'
import type { Step, StepOf } from './step.ts'
import type { TableView } from './table-view.ts'

/**
 * The steps that finish what was interrupted, and remove the days that can come back from nowhere: the oldest first,
 * and none after one that must stay, because the fence is one line and cannot pass a day that is kept.
 */
export function planRemove(
  policy: Policy,
  view: TableView,
  topics: readonly TopicEvidence[],
  retention: Retention,
): Step[] {
  const obstacles = obstaclesTo('remove', policy, view)
  if (obstacles.length > 0) return obstacles.map((reason) => refusal('remove', reason))
  const finish = planFinish(policy, view)
  const drops = finish.filter(({ kind }) => kind === 'drop-detached').length
  const fenced = view.toDrop.filter(({ standing }) => standing === 'attached')
  const resumed = fenced.map((target) =>
    removeDay(policy, view, target, 'an earlier run has fenced it and was interrupted'),
  )
  const fencedOids = new Set(fenced.map(({ oid }) => oid))
  const fresh = removableDays(view, retention).filter(({ partition }) => !fencedOids.has(partition.oid))
  const room = Math.max(0, policy.maxDropsPerRun - drops - resumed.length)
  return [
    ...finish,
    ...resumed,
    ...planDays(policy, view, topics, retention, fresh.slice(0, room)),
    ...planOddPartitions(view, retention),
    ...planElders(policy, view),
    ...(retention.known ? [] : [keepDay(null, `nothing is dropped: ${retention.reason}`)]),
  ]
}

function planDays(
  policy: Policy,
  view: TableView,
  topics: readonly TopicEvidence[],
  retention: Retention,
  days: readonly RemovableDay[],
): Step[] {
  const steps: Step[] = []
  for (const { day, partition } of days) {
    const isGiven = policy.retention.kind === 'given'
    const holds = topics
      .map((topic) => holdOf(topic, day, view.nowMs, isGiven))
      .filter((hold) => hold !== null)
    const age = `ended ${durationText(view.nowMs - endOfDay(day))} ago`
    if (holds.length > 0)
      return [
        ...steps,
        keepDay(day, `keep ${day} and later: ${age}, but ${holds.join('; ')}`, partition.name),
      ]
    const target = { ...partition, fromDay: day, untilDay: addDays(day, 1), keepUntilMs: null }
    steps.push(removeDay(policy, view, target, `${age}; ${becauseOf(retention, topics)}`))
  }
  return steps
}

function becauseOf(retention: Retention, topics: readonly TopicEvidence[]): string {
  const parts: string[] = []
  if (retention.known) parts.push(`retention ${durationText(retention.ms)} from ${retention.from}`)
  const oldest = oldestRecordText(topics)
  if (oldest !== null) parts.push(`broker's oldest record ${oldest}`)
  else if (topics.length > 0) parts.push('the broker has no older record')
  for (const { topic, settings } of topics) {
    if (settings !== null && isUnlimited(settings)) {
      parts.push(`${topic} keeps its records without limit, and the fence refuses those of that day`)
    }
  }
  return parts.join('; ')
}

function removeDay(
  policy: Policy,
  view: TableView,
  target: Omit<PartitionToDrop, 'standing'>,
  because: string,
): StepOf<'remove-day'> {
  const { oid, schema, name, fromDay, untilDay } = target
  const detach = detachPartition(
    { schema: policy.schema, name: policy.table },
    { schema, name },
    'concurrently',
  )
  const drop = dropTable({ schema, name })
  const keepUntilMs = policy.keepDetachedMs > 0 ? view.nowMs + policy.keepDetachedMs : target.keepUntilMs
  const standing = view.partitions.find((partition) => partition.oid === oid)
  return {
    kind: 'remove-day',
    run: 'remove',
    partition: name,
    oid,
    schema,
    name,
    fromDay,
    untilDay,
    reason:
      keepUntilMs === null
        ? `drop ${fromDay}: ${because}`
        : `park ${fromDay} until ${minuteOf(keepUntilMs)}: ${because}`,
    detach,
    drop,
    keepUntilMs,
    estimatedRows: standing?.estimatedRows ?? null,
    estimatedBytes: standing?.estimatedBytes ?? null,
    sql: keepUntilMs === null ? [detach, drop] : [detach],
    lock: `share update exclusive on ${tableOf(policy)}, then access exclusive on ${name} alone: stops no reader and no writer`,
  }
}

/** Partitions off the daily grid are never touched; past their retention that is said. */
function planOddPartitions(view: TableView, retention: Retention): Step[] {
  if (!retention.known) return []
  return view.partitions
    .filter((each) => !each.isDefault && !each.isPending && dayOfPartition(each) === null)
    .filter(({ untilMs }) => untilMs + retention.ms <= view.nowMs)
    .map(({ name }) =>
      keepDay(null, `keep ${name}: its retention is over, but it is not one UTC day; drop it by hand`, name),
    )
}
