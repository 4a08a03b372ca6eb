import { addDays, type Day } from '../calendar/period.ts'
import type { StepOf } from './step.ts'

/** A step that does nothing but say why a day, or anything at all, stays past its retention. */
export function keepDay(
  day: Day | null,
  reason: string,
  partition: string | null = null,
): StepOf<'keep-day'> {
  return {
    kind: 'keep-day',
    run: 'remove',
    partition,
    fromDay: day,
    untilDay: day === null ? null : addDays(day, 1),
    reason,
    sql: [],
    lock: 'none',
  }
}
