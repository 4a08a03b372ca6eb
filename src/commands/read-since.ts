import { isDay, startOfDay } from '../calendar/period.ts'
import { parseDuration } from '../configuration/duration.ts'
import { escapedText } from './escaped-text.ts'
import { UsageError } from './usage-error.ts'

/** A date and a time with its offset from UTC: without one, it would be another moment on every machine. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/

/** The instant that `--since` names: a day, an instant, or a length of time before now. */
export function readSince(text: string, nowMs: number): number {
  if (isDay(text)) return startOfDay(text)
  if (INSTANT.test(text) && isDay(text.slice(0, 10))) {
    const instantMs = Date.parse(text)
    if (!Number.isNaN(instantMs)) return instantMs
  }
  const lengthMs = parseDuration(text)
  if (lengthMs !== null && lengthMs >= 0) return nowMs - lengthMs
  throw new UsageError(
    `expected --since to be a day such as '2026-08-01', an instant such as '2026-08-01T12:00Z', or a length of time ` +
      `such as '2 hours', got '${escapedText(text)}'`,
  )
}
