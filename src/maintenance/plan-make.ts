import { addDays, type Day, dayOf, daysBetween, daysThrough } from '../calendar/period.ts'
import type { TopicEvidence } from './evidence.ts'
import { firstFence } from './first-fence.ts'
import { obstaclesTo } from './obstacles.ts'
import { MAX_NAME_BYTES, partitionInTheWay, partitionName, partitionOfDay } from './partition.ts'
import { makePartition } from './partition-ddl.ts'
import { type Policy, tableOf } from './policy.ts'
import { refusal } from './refusal.ts'
import type { TableFacts } from './sql/find-table.ts'
import type { Step, StepOf } from './step.ts'
import type { TableView } from './table-view.ts'

/** The steps that give every day of the window a partition: today and the days ahead first, then those behind. */
export function planMake(policy: Policy, view: TableView, topics: readonly TopicEvidence[]): Step[] {
  const obstacles = obstaclesTo('make', policy, view)
  const today = dayOf(view.nowMs)
  const { table } = view
  if (table === null || obstacles.length > 0) return obstacles.map((reason) => refusal('make', reason))
  if (today === null)
    return [
      refusal('make', `the database's clock says ${view.nowMs} ms, which no calendar has: set it right`),
    ]

  const fence = view.fence ?? firstFence(policy, view, topics, today)
  const days = daysThrough(addDays(fence, 1), addDays(today, policy.runwayDays))
  const missing = days.filter((day) => partitionOfDay(view.partitions, day) === undefined)
  const urgent = [...missing.filter((day) => day >= today), ...missing.filter((day) => day < today)]
  return [
    ...(view.fence === null ? [writeFence(fence)] : []),
    ...urgent.map((day) => makeDay(policy, view, table, day, today)),
  ]
}

function writeFence(day: Day): StepOf<'write-fence'> {
  return {
    kind: 'write-fence',
    run: 'make',
    day,
    partition: null,
    fromDay: null,
    untilDay: addDays(day, 1),
    reason: `fence ${day}: the first run of this table; events of that day or earlier are never applied`,
    sql: [],
    lock: 'none',
  }
}

function makeDay(policy: Policy, view: TableView, table: TableFacts, day: Day, today: Day): Step {
  const name = partitionName(policy.table, day)
  const bytes = Buffer.byteLength(name)
  if (bytes > MAX_NAME_BYTES) {
    const most = MAX_NAME_BYTES - bytes + Buffer.byteLength(policy.table)
    return refusal(
      'make',
      `the name ${name} has ${bytes} bytes: rename ${tableOf(policy)} to at most ${most}`,
      day,
    )
  }
  const standing = partitionInTheWay(view.partitions, day)
  if (standing !== undefined) {
    return refusal(
      'make',
      `partition ${standing.name} holds a part of ${day}, not all of it: give it bounds at UTC midnight`,
      day,
    )
  }
  if (day < today && view.madeDays.includes(day)) {
    const reason =
      `${day} was made before and somebody has taken it away: an empty one in its place would let its events take effect ` +
      'again. Attach it again, or make it by hand'
    return refusal('make', reason, day)
  }
  const parent = { schema: policy.schema, name: policy.table }
  return {
    kind: 'make-day',
    run: 'make',
    day,
    partition: name,
    fromDay: day,
    untilDay: addDays(day, 1),
    reason: `make ${day}: ${placeOf(daysBetween(today, day))}, and without a partition`,
    sql: makePartition(parent, { schema: policy.schema, name }, day, table),
    lock: `share update exclusive on ${tableOf(policy)}: stops no reader and no writer`,
  }
}

function placeOf(daysAhead: number): string {
  if (daysAhead === 0) return 'today'
  return daysAhead > 0 ? `${daysAhead} d ahead` : `${-daysAhead} d ago, inside the window`
}
