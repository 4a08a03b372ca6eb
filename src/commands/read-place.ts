import { escapedText } from './escaped-text.ts'
import { UsageError } from './usage-error.ts'

const LARGEST_OFFSET = 9_223_372_036_854_775_807n

/** A topic's name from the command line. */
export function readTopic(text: string | undefined): string {
  if (text !== undefined && /^[A-Za-z0-9._-]{1,249}$/.test(text)) return text
  throw new UsageError(
    `expected a topic to be 1 to 249 letters, digits, dots, dashes and underscores, got '${escapedText(text ?? '')}'`,
  )
}

/** A partition's number from the command line. */
export function readPartition(text: string | undefined): number {
  if (text !== undefined && /^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`expected a partition to be a whole number, got '${escapedText(text ?? '')}'`)
}

/** An offset from the command line, as decimal text. */
export function readOffset(text: string | undefined): string {
  if (text !== undefined && /^\d{1,19}$/.test(text) && BigInt(text) <= LARGEST_OFFSET)
    return BigInt(text).toString()
  throw new UsageError(`expected an offset to be a whole number of 63 bits, got '${escapedText(text ?? '')}'`)
}
