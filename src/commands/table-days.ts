import { addDays, type Day, dayOf, daysThrough } from '../calendar/period.ts'
import { dayOfPartition, type Partition } from '../maintenance/partition.ts'
import type { PartitionToDrop } from '../maintenance/sql/list-partitions-to-drop.ts'

/** How a day of a table stands. `gap`: a day of the window without a partition. `detached`: fenced, and on its way out. */
export type DayState = 'ahead' | 'open' | 'kept' | 'detach-pending' | 'detached' | 'parked' | 'gap'

/** One day of a table, for the timeline. */
export type TableDay = {
  readonly day: Day
  readonly state: DayState
  /** Null for a gap. */
  readonly partition: string | null
  readonly estimatedRows: number | null
  readonly estimatedBytes: number | null
}

/** What a table should have at least: the days from the fence to `runwayDays` ahead. */
export type DayFacts = {
  readonly partitions: readonly Partition[]
  readonly toDrop: readonly PartitionToDrop[]
  readonly fence: Day | null
  readonly runwayDays: number
  readonly nowMs: number
}

/** The days of a table in order, from the oldest that is left to the end of the window; gaps among them. */
export function tableDaysOf({ partitions, toDrop, fence, runwayDays, nowMs }: DayFacts): TableDay[] {
  const today = dayOf(nowMs)
  if (today === null) return []
  const days = new Map<Day, TableDay>()
  for (const { fromDay, name, keepUntilMs } of toDrop) {
    const state = keepUntilMs === null ? 'detached' : 'parked'
    days.set(fromDay, { day: fromDay, state, partition: name, estimatedRows: null, estimatedBytes: null })
  }
  for (const partition of partitions) {
    const day = dayOfPartition(partition)
    if (day === null) continue
    const { name, estimatedRows, estimatedBytes, isPending } = partition
    const state = isPending ? 'detach-pending' : stateOf(day, today)
    days.set(day, { day, state, partition: name, estimatedRows, estimatedBytes })
  }
  for (const day of windowDays([...days.keys()].sort(), today, fence, runwayDays)) {
    if (days.has(day)) continue
    days.set(day, { day, state: 'gap', partition: null, estimatedRows: null, estimatedBytes: null })
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
}

function stateOf(day: Day, today: Day): DayState {
  if (day === today) return 'open'
  return day > today ? 'ahead' : 'kept'
}

/** Behind the fence no day is missed. */
function windowDays(present: readonly Day[], today: Day, fence: Day | null, runwayDays: number): Day[] {
  const oldest = present[0] ?? today
  const afterFence = fence === null ? oldest : addDays(fence, 1)
  const from = oldest > afterFence || fence === null ? oldest : afterFence
  const first = from > today ? today : from
  return daysThrough(first, addDays(today, runwayDays))
}
