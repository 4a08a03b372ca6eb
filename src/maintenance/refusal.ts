import { addDays, type Day } from '../calendar/period.ts'
import type { RunKind } from './policy.ts'
import type { StepOf } from './step.ts'

/** A step that does nothing but say what a person must change. */
export function refusal(run: RunKind, reason: string, day: Day | null = null): StepOf<'refuse'> {
  return {
    kind: 'refuse',
    run,
    partition: null,
    fromDay: day,
    untilDay: day === null ? null : addDays(day, 1),
    reason,
    sql: [],
    lock: 'none',
  }
}
