import { addDays, type Day, endOfDay } from '../calendar/period.ts'
import { durationText } from './duration-text.ts'
import { obstaclesTo } from './obstacles.ts'
import { partitionOfDay } from './partition.ts'
import { attachPartition } from './partition-ddl.ts'
import { type Policy, tableOf } from './policy.ts'
import { refusal } from './refusal.ts'
import type { Retention } from './retention.ts'
import type { TableFacts } from './sql/find-table.ts'
import type { PartitionToDrop } from './sql/list-partitions-to-drop.ts'
import type { Step } from './step.ts'
import type { TableView } from './table-view.ts'

/**
 * The step that brings a parked day back, or the refusal that says why it cannot come: the only one that ever moves the
 * fence back. Whether its rows are there, and whether anything of it was refused meanwhile, is asked in its transaction.
 */
export function planReattach(policy: Policy, view: TableView, retention: Retention, day: Day): Step[] {
  const obstacles = obstaclesTo('make', policy, view)
  const { table } = view
  if (table === null || obstacles.length > 0) return obstacles.map((reason) => refusal('make', reason, day))
  const target = view.toDrop.find(({ fromDay, standing }) => fromDay === day && standing === 'alone')
  const objection =
    target === undefined
      ? notParked(policy, view, day)
      : (outOfTurn(view, day) ?? wouldGoAgain(view, retention, day))
  if (target === undefined || objection !== null) return [refusal('make', `${day}: ${objection}`, day)]
  return [reattachDay(policy, table, target)]
}

function notParked(policy: Policy, view: TableView, day: Day): string {
  const known = view.toDrop.find(({ fromDay }) => fromDay === day)
  switch (known?.standing) {
    case 'attached':
    case 'pending':
      return 'it is about to be detached. Wait until that is through, then bring it back'
    case 'gone':
      return `its table ${known.name} is gone: nothing can bring its rows back`
    case 'other':
      return `what has the OID ${known.oid} is not its table ${known.name} any more. Look at it; it is left alone`
  }
  if (partitionOfDay(view.partitions, day) !== undefined) return 'it has its partition already'
  const parked = view.toDrop.filter(({ standing }) => standing === 'alone').map(({ fromDay }) => fromDay)
  return (
    `${tableOf(policy)} has no such day that was parked (parked: ${parked.join(', ') || 'none'}). ` +
    'What somebody has detached by hand is attached by hand'
  )
}

/** The fence is one line: it cannot let a day in and keep a later one out. */
function outOfTurn({ fence }: TableView, day: Day): string | null {
  if (fence === day) return null
  return `the fence stands at ${fence ?? 'no day'}, and moves back one day at a time. Bring ${fence} back first`
}

function wouldGoAgain({ nowMs }: TableView, retention: Retention, day: Day): string | null {
  if (!retention.known || endOfDay(day) + retention.ms > nowMs) return null
  return (
    `the retention is ${durationText(retention.ms)} from ${retention.from}, so the next run would remove it again. ` +
    `Lengthen it to more than ${durationText(nowMs - endOfDay(day))} first, also for the worker`
  )
}

function reattachDay(policy: Policy, table: TableFacts, target: PartitionToDrop): Step {
  const { oid, schema, name, fromDay, untilDay } = target
  const parent = { schema: policy.schema, name: policy.table }
  const attach = attachPartition(parent, { schema, name }, fromDay, table.keyType ?? 'date')
  return {
    kind: 'reattach-day',
    run: 'make',
    day: fromDay,
    partition: name,
    oid,
    schema,
    name,
    fromDay,
    untilDay,
    reason: `bring ${fromDay} back: the fence moves to ${addDays(fromDay, -1)}`,
    attach,
    sql: [attach],
    lock: `share update exclusive on ${tableOf(policy)}, access exclusive on ${name} alone: stops no reader and no writer`,
  }
}
