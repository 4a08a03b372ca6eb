import { DEAD_REASONS, type DeadLetterFilter } from '../consumer/dead-letter.ts'
import type { DeadReason } from '../consumer/event.ts'
import type { GivenTexts } from './entry.ts'
import { escapedText } from './escaped-text.ts'
import { readSince } from './read-since.ts'
import { UsageError } from './usage-error.ts'

/** The largest bigint of PostgreSQL. */
const LARGEST = 9_223_372_036_854_775_807n

/** Which dead letters the command line names. */
export function readDeadLetterFilter(
  ids: readonly string[],
  given: GivenTexts,
  nowMs: number,
): Omit<DeadLetterFilter, 'group' | 'settled'> {
  return {
    ids: ids.length === 0 ? null : [...new Set(ids.map(readDeadLetterId))],
    reasons: given.reason === undefined ? null : given.reason.split(',').map(readReason),
    sinceMs: given.since === undefined ? null : readSince(given.since, nowMs),
  }
}

/** The id of a dead letter, as `dead-letters list` shows it. */
export function readDeadLetterId(text: string): string {
  if (/^\d{1,19}$/.test(text) && BigInt(text) <= LARGEST) return BigInt(text).toString()
  throw new UsageError(
    `expected the id of a dead letter, a number as \`dead-letters list\` shows, got '${escapedText(text)}'`,
  )
}

function readReason(text: string): DeadReason {
  const reason = DEAD_REASONS.find((known) => known === text.trim())
  if (reason !== undefined) return reason
  throw new UsageError(`expected --reason to be of ${DEAD_REASONS.join(', ')}, got '${escapedText(text)}'`)
}
