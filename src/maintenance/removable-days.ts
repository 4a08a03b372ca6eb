import { type Day, endOfDay } from '../calendar/period.ts'
import { dayOfPartition, type Partition } from './partition.ts'
import type { Retention } from './retention.ts'
import type { TableView } from './table-view.ts'

/** A partition of one day whose retention is over by the database's clock. */
export type RemovableDay = { readonly day: Day; readonly partition: Partition }

/** The days past their retention, the oldest first; the broker has not been asked yet. None while nobody knows it. */
export function removableDays(view: TableView, retention: Retention): RemovableDay[] {
  if (!retention.known) return []
  return view.partitions
    .filter(({ isPending }) => !isPending)
    .map((partition) => ({ day: dayOfPartition(partition), partition }))
    .filter((each): each is RemovableDay => each.day !== null && isOver(each.day, retention.ms, view.nowMs))
    .sort((a, b) => (a.day < b.day ? -1 : 1))
}

/** The youngest row of a day is as old as its end. Compared so that a retention that is no number is never over. */
function isOver(day: Day, retentionMs: number, nowMs: number): boolean {
  return retentionMs > 0 && endOfDay(day) + retentionMs <= nowMs
}
