import { addDays, type Day } from '../calendar/period.ts'

/** The days that may be marked: after the fence, up to the last day of the runway. By policy, never by partitions. */
export type Window = {
  /** The last day whose markers were dropped; null before the first run of maintenance. */
  readonly fence: Day | null
  readonly lastDay: Day
}

/** The window as it stands: `today` is the database's. */
export function windowOf(fence: Day | null, today: Day, runwayDays: number): Window {
  return { fence, lastDay: addDays(today, runwayDays) }
}

/** Where a day lies: 'expired' at the fence or before it, 'future' beyond the window, else 'open'. */
export function placeOf(day: Day, window: Window): 'expired' | 'open' | 'future' {
  if (window.fence !== null && day <= window.fence) return 'expired'
  return day > window.lastDay ? 'future' : 'open'
}
