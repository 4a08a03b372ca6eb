import { DateTime, Settings } from 'luxon'

Settings.throwOnInvalid = true

declare module 'luxon' {
  interface TSSettings {
    throwOnInvalid: true
  }
}

/**
 * A period is one UTC day, written 'YYYY-MM-DD': the text that PostgreSQL's `date` reads under every
 * DateStyle, that compares as it sorts, and that no time zone can move. Days run from '0001-01-01' to
 * '9999-12-31', the range in which that is true.
 *
 * This file is the only importer of luxon. Every call passes the zone: luxon's default is the process's
 * own (`DateTime.fromISO('2026-12-01')` is 05:00Z in New York), and a library must not set a global.
 */
export type Day = string

const MS_PER_DAY = 86_400_000
const FIRST_MS = DateTime.fromISO('0001-01-01', { zone: 'utc' }).toMillis()
const END_MS = DateTime.fromISO('9999-12-31', { zone: 'utc' }).plus({ days: 1 }).toMillis()

/** The day that holds an instant, or null where the calendar of {@link Day} does not reach. */
export function dayOf(instantMs: number): Day | null {
  if (!(instantMs >= FIRST_MS && instantMs < END_MS)) return null
  const number = Math.floor(instantMs / MS_PER_DAY)
  let day = dayTexts.get(number)
  if (day === undefined) {
    day = DateTime.fromMillis(number * MS_PER_DAY, { zone: 'utc' }).toISODate()
    // A consumer asks this once per event, nearly always for the same few days; luxon alone would cost more
    // than all else that is done for an event in Node. Emptied, because a topic may hold any timestamp.
    if (dayTexts.size >= 1000) dayTexts.clear()
    dayTexts.set(number, day)
  }
  return day
}

const dayTexts = new Map<number, Day>()

/** True for the text of a day that exists: '2028-02-29' is one, '2026-02-30' and '2026-1-1' are not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    return startOfDay(text) >= FIRST_MS
  } catch {
    // luxon throws on days that no calendar has; that is the answer here.
    return false
  }
}

/** The first instant of a day, in milliseconds since the epoch. */
export function startOfDay(day: Day): number {
  return DateTime.fromISO(day, { zone: 'utc' }).toMillis()
}

/** The first instant after a day: days are half-open ranges. */
export function endOfDay(day: Day): number {
  return startOfDay(day) + MS_PER_DAY
}

/** The day that lies `count` days after `day`; before it, where `count` is negative. */
export function addDays(day: Day, count: number): Day {
  return DateTime.fromISO(day, { zone: 'utc' }).plus({ days: count }).toISODate()
}

/** How many days `until` lies after `from`: negative where it lies before. */
export function daysBetween(from: Day, until: Day): number {
  return Math.round((startOfDay(until) - startOfDay(from)) / MS_PER_DAY)
}

/** Every day from `from` up to and including `last`, in order; none where `last` is earlier. */
export function daysThrough(from: Day, last: Day): Day[] {
  return Array.from({ length: Math.max(0, daysBetween(from, last) + 1) }, (_, index) => addDays(from, index))
}

/** The first day that starts at or after an instant. */
export function firstDayFrom(instantMs: number): Day | null {
  return dayOf(instantMs + MS_PER_DAY - 1)
}

/** An instant as people read it in reports: '2026-11-24 03:11', in UTC. */
export function minuteOf(instantMs: number): string {
  return DateTime.fromMillis(instantMs, { zone: 'utc' }).toFormat('yyyy-MM-dd HH:mm')
}
