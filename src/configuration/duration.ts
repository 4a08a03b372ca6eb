import ms from 'ms'
import { z } from 'zod'

/**
 * A length of time as people write it ('7 days', '500 ms'), read as milliseconds. A bare number is refused: `ms` takes
 * it for milliseconds, and whoever writes `retention: 8` means days.
 */
export function duration(range: { readonly fromMs: number; readonly untilMs: number }) {
  return z.string().transform((text, context) => {
    const lengthMs = parseDuration(text)
    if (lengthMs !== null && lengthMs >= range.fromMs && lengthMs <= range.untilMs) return lengthMs
    context.addIssue({ code: 'custom', message: 'not such a duration' })
    return z.NEVER
  })
}

/** Milliseconds, or null where the text is no length of time with its unit. */
export function parseDuration(text: string): number | null {
  if (text.trim() === '' || text.length > 100 || !Number.isNaN(Number(text))) return null
  const lengthMs: number | undefined = ms(text.trim() as ms.StringValue)
  return lengthMs === undefined || Number.isNaN(lengthMs) ? null : lengthMs
}

/** A length of time in words: '15 minutes'. Rounds to the largest unit that divides it as `ms` does. */
export function durationInWords(lengthMs: number): string {
  return ms(lengthMs, { long: true })
}

/** The shape of a duration for complaints. */
export function durationShape(
  range: { readonly fromMs: number; readonly untilMs: number },
  example: string,
): string {
  return `a duration with its unit, from ${durationInWords(range.fromMs)} to ${durationInWords(range.untilMs)}, such as '${example}'`
}
