import { addDays, type Day, dayOf, endOfDay } from '../calendar/period.ts'
import type { Retention } from './retention.ts'
import type { TableView } from './table-view.ts'

/** A broker that is late with its deletions is late by a segment or two, hardly by more days than this. */
const DAYS_ASKED = 7

/**
 * The days of whose rows pruning may ask the broker, the latest first: all of them are past their retention, and have
 * rows that old. The latest that is free counts for all before it. None while the retention is not known.
 */
export function prunableDays(view: TableView, retention: Retention): Day[] {
  const oldestMs = view.rows?.oldestMs ?? null
  if (!retention.known || !(retention.ms > 0) || oldestMs === null) return []
  const reach = dayOf(view.nowMs - retention.ms)
  if (reach === null) return []
  const latest = addDays(reach, -1)
  return Array.from({ length: DAYS_ASKED }, (_, back) => addDays(latest, -back)).filter(
    (day) => oldestMs < endOfDay(day),
  )
}
