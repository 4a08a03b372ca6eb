import { addDays, type Day, dayOf } from '../calendar/period.ts'
import type { Queryable } from '../postgres/queryable.ts'
import { dayOfPartition, type Partition, partitionOfDay } from './partition.ts'
import { findFence } from './sql/find-fence.ts'
import { findMarkerTable } from './sql/find-marker-table.ts'
import { findTable } from './sql/find-table.ts'
import { listPartitions } from './sql/list-partitions.ts'
import { readClock } from './sql/read-clock.ts'

/** How a table stands, judged by what is there and not by what was scheduled. */
export type Runway = {
  readonly nowMs: number
  readonly today: Day | null
  /** How many days ahead have a partition, without a gap; -1 where not even today has one. */
  readonly runwayDays: number
  readonly fence: Day | null
  /** The oldest and the latest day that have a partition. */
  readonly oldestDay: Day | null
  readonly latestDay: Day | null
  readonly partitions: number
  readonly isDetachPending: boolean
}

/** Reads the runway of a table, by default of the marker table of this database. One look at the catalogue, no lock. */
export async function readRunway(
  db: Queryable,
  table?: { readonly schema: string; readonly table: string },
): Promise<Runway> {
  const nowMs = await readClock(db)
  const subject = table ?? (await findMarkerTable(db))
  const facts = subject === null ? null : await findTable(db, subject.schema, subject.table)
  const partitions = facts === null ? [] : await listPartitions(db, facts.oid)
  const fence = subject === null ? null : await findFence(db, subject.schema, subject.table)
  return { ...runwayOf(partitions, nowMs), fence }
}

/** The same from partitions that were read already. */
export function runwayOf(partitions: readonly Partition[], nowMs: number): Omit<Runway, 'fence'> {
  const today = dayOf(nowMs)
  const usable = partitions.filter(({ isPending }) => !isPending)
  const days = usable
    .map(dayOfPartition)
    .filter((day) => day !== null)
    .sort()
  let runwayDays = -1
  // Bounded by the number of partitions, not by the calendar.
  while (
    today !== null &&
    runwayDays < usable.length &&
    partitionOfDay(usable, addDays(today, runwayDays + 1))
  )
    runwayDays++
  return {
    nowMs,
    today,
    runwayDays,
    oldestDay: days[0] ?? null,
    latestDay: days.at(-1) ?? null,
    partitions: partitions.length,
    isDetachPending: partitions.some(({ isPending }) => isPending),
  }
}
