import { addDays, type Day, dayOf } from '../../src/calendar/period.ts'
import { readClock } from '../../src/maintenance/sql/read-clock.ts'
import type { Queryable } from '../../src/postgres/queryable.ts'

/** The days that a pass of maintenance is about. */
export type MaintainedDays = {
  readonly today: Day
  /** To be taken out: the last day whose end lies {@link RETENTION_DAYS} back or more. */
  readonly old: Day
  /** To be taken in: the first that the migrations have not made. */
  readonly next: Day
}

export const RETENTION_DAYS = 8
/** As many days ahead as the migrations make. */
export const RUNWAY_DAYS = 7

export async function maintainedDays(db: Queryable): Promise<MaintainedDays> {
  const today = dayOf(await readClock(db))
  if (today === null) throw new Error('reading the clock of the database: it is outside the calendar')
  return { today, old: addDays(today, -RETENTION_DAYS - 1), next: addDays(today, RUNWAY_DAYS + 1) }
}

/** A partition's name as daymark gives it. */
export function partitionOf(day: Day): string {
  return `processed_events_${day.replaceAll('-', '_')}`
}
