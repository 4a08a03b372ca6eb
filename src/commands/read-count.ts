import { escapedText } from './escaped-text.ts'
import { UsageError } from './usage-error.ts'

/** A whole number from 1 up to `most` that a flag gives; `fallback` where it is absent. */
export function readCount(flag: string, text: string | undefined, fallback: number, most: number): number {
  if (text === undefined) return fallback
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= most) return count
  throw new UsageError(`expected ${flag} to be a whole number from 1 to ${most}, got '${escapedText(text)}'`)
}
