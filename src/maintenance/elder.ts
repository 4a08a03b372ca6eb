import { addDays, type Day, dayOf } from '../calendar/period.ts'

/**
 * A marker table from before daymark. `keyed`: unique by group and id, as in the runbook's first step, so that old
 * consumers may run on. `partitioned`: with the moment of processing in its key, which refuses nobody, so that old
 * writers are blocked before it is adopted.
 */
export type ElderForm = 'keyed' | 'partitioned'

export type Elder = {
  readonly oid: string
  readonly schema: string
  readonly name: string
  readonly form: ElderForm
  readonly adoptedMs: number
  /** From when on no batch asks it; null while they do. */
  readonly retiredMs: number | null
  /** Whether the table of that name is still the one that was adopted. */
  readonly isThere: boolean
  /** When an old consumer last wrote into it; at the latest when it was adopted, where nobody could since. */
  readonly youngestMs: number
}

/** How long an elder rests after the last batch may have asked it: many times the longest that a batch may take. */
export const ELDER_REST_MS = 600_000

/**
 * The fence with which an elder may go: all that it knows is refused as expired then. A row was written after its
 * record was, but for records from the future, which may be dated up to the end of the runway.
 */
export function fenceBeyond({ youngestMs }: Elder, runwayDays: number): Day | null {
  const day = dayOf(youngestMs)
  return day === null ? null : addDays(day, runwayDays)
}
