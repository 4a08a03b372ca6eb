import { type Day, dayOf, endOfDay, startOfDay } from '../calendar/period.ts'

/** A partition as the catalogue has it. Its bounds count, never its name; OIDs are decimal text. */
export type Partition = {
  readonly oid: string
  readonly schema: string
  readonly name: string
  /** The first instant that it holds; -Infinity for MINVALUE. */
  readonly fromMs: number
  /** The first instant after it; Infinity for MAXVALUE. */
  readonly untilMs: number
  readonly isDefault: boolean
  /** A detach of it was begun and not finished: its rows can be neither read nor written through the parent. */
  readonly isPending: boolean
  /** The planner's estimates, which cost no lock; null before the first analysis. */
  readonly estimatedRows: number | null
  readonly estimatedBytes: number
}

/** The day that a partition is for; null for one that is not exactly one UTC day. */
export function dayOfPartition(partition: Partition): Day | null {
  if (partition.isDefault) return null
  const day = dayOf(partition.fromMs)
  if (day === null) return null
  return startOfDay(day) === partition.fromMs && endOfDay(day) === partition.untilMs ? day : null
}

/** The partition that holds all of a day. */
export function partitionOfDay(partitions: readonly Partition[], day: Day): Partition | undefined {
  return partitions.find(
    (each) => !each.isDefault && each.fromMs <= startOfDay(day) && endOfDay(day) <= each.untilMs,
  )
}

/** A partition that shares an instant with a day: no other can be attached for it. */
export function partitionInTheWay(partitions: readonly Partition[], day: Day): Partition | undefined {
  return partitions.find(
    (each) => !each.isDefault && each.fromMs < endOfDay(day) && startOfDay(day) < each.untilMs,
  )
}

/** The name of a day's partition. A label only: nothing is ever decided by it. */
export function partitionName(table: string, day: Day): string {
  return `${table}_${day.replaceAll('-', '_')}`
}

/** PostgreSQL would clip a longer name without a word (NAMEDATALEN). */
export const MAX_NAME_BYTES = 63
