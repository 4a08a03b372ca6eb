import { addDays, type Day, dayOf, minuteOf } from '../calendar/period.ts'
import type { Partition } from './partition.ts'
import { detachPartition, dropTable } from './partition-ddl.ts'
import { type Policy, tableOf } from './policy.ts'
import { refusal } from './refusal.ts'
import type { PartitionToDrop } from './sql/list-partitions-to-drop.ts'
import type { Step } from './step.ts'
import type { TableView } from './table-view.ts'

/** The steps that finish what an interrupted run left: a pending detach, then the drops that were written down. */
export function planFinish(policy: Policy, view: TableView): Step[] {
  return [
    ...view.partitions
      .filter(({ isPending }) => isPending)
      .map((partition) => finishDetach(policy, view, partition)),
    ...view.toDrop
      .filter((target) => !isParked(target, view.nowMs))
      .flatMap((target) => dropDetached(target)),
  ]
}

/** Detached or about to be, and to be kept until a moment that has not come yet. */
function isParked({ keepUntilMs }: PartitionToDrop, nowMs: number): boolean {
  return keepUntilMs !== null && keepUntilMs > nowMs
}

function finishDetach(policy: Policy, view: TableView, partition: Partition): Step {
  const ours = view.toDrop.find(({ oid, standing }) => oid === partition.oid && standing === 'pending')
  const finalize = detachPartition({ schema: policy.schema, name: policy.table }, partition, 'finalize')
  const drop = ours === undefined || isParked(ours, view.nowMs) ? null : dropTable(partition)
  const { fromDay, untilDay } = ours ?? daysOf(partition)
  return {
    kind: 'finish-detach',
    run: 'remove',
    partition: partition.name,
    oid: partition.oid,
    schema: partition.schema,
    name: partition.name,
    fromDay,
    untilDay,
    reason:
      `finish the detach of ${partition.name}: it was interrupted, and holds up every other` +
      (ours === undefined ? '; it was not begun here, so the table is left alone' : ''),
    finalize,
    drop,
    sql: [finalize],
    lock: `share update exclusive on ${tableOf(policy)}, access exclusive on ${partition.name}: stops no reader and no writer of other days`,
  }
}

/** Bounds off the grid can be pending too, where somebody else began it. */
function daysOf({ fromMs, untilMs }: Partition): { fromDay: Day; untilDay: Day } {
  const fromDay = dayOf(fromMs) ?? '0001-01-01'
  return { fromDay, untilDay: dayOf(untilMs) ?? addDays(fromDay, 1) }
}

function dropDetached(target: PartitionToDrop): Step[] {
  const { oid, schema, name, fromDay, untilDay, standing, keepUntilMs } = target
  if (standing === 'attached') return []
  if (standing === 'other') {
    const reason = `${schema}.${name} (OID ${oid}) was to be dropped and is something else now: look at it, then \`daymark verify\``
    return [refusal('remove', reason, fromDay)]
  }
  const drop = dropTable({ schema, name })
  return [
    {
      kind: 'drop-detached',
      run: 'remove',
      partition: name,
      oid,
      schema,
      name,
      fromDay,
      untilDay,
      reason:
        standing === 'gone'
          ? `clear the note of ${name}: the table is gone already`
          : `drop ${fromDay}: ${keepUntilMs === null ? 'an earlier run has detached it and was interrupted' : `it was parked until ${minuteOf(keepUntilMs)}`}`,
      drop,
      sql: standing === 'gone' ? [] : [drop],
      lock: `access exclusive on ${name} alone: it is no partition any more`,
    },
  ]
}
