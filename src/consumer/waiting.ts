import type { WaitReason } from './next-attempt.ts'

/** How long the n-th wait in a row takes: a second at first, doubled up to the longest. */
export function waitMsOf(waits: number, longestMs: number): number {
  return Math.min(longestMs, 1_000 * 2 ** Math.min(waits - 1, 20))
}

/** What the person on call can do about a topic partition that waits. */
export function adviceFor(reason: WaitReason | 'lost-records'): string {
  return ADVICE[reason]
}

const ADVICE: Readonly<Record<WaitReason | 'lost-records', string>> = {
  'missing-partition':
    'processed_events has no partition for a day that may be marked: run `daymark apply`, and see that the worker runs',
  'read-only-database':
    'the database takes no writes: it was demoted, or is set read only; point DATABASE_URL at the primary',
  'broken-handler-or-schema':
    'the handler or the database refuses every event: mend it, or the table and rights that it needs; it goes on by itself',
  'too-many-dead-letters':
    'more events fail than deadLetterLimit allows, and none of these was set aside: mend the handler, or raise the limit',
  'failing-commit':
    'the transaction fails at COMMIT: look for a deferred constraint, or for errors that the handler swallows',
  'lost-records':
    'the broker deleted records before they were read: find them elsewhere, then run `daymark progress accept-loss`',
}
