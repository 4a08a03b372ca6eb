import {
  complaintOf,
  type DatabaseComplaint,
  isSessionLost,
  SQLSTATE,
  sqlstateOf,
} from '../postgres/sqlstate.ts'
import { CommitRefusedError } from '../postgres/transaction.ts'
import { HandlerLeftTransactionError } from './handler-left-transaction-error.ts'

/** How far a batch had come when it failed. */
export type Phase = 'open' | 'mark' | 'apply' | 'close'

export type FailedAttempt = {
  readonly error: unknown
  readonly phase: Phase
  /** How often this batch has failed in a row, this time included. */
  readonly failures: number
  /** Whether the failing event was being looked for. */
  readonly isolating: boolean
  /** How often in a row the marker table had no partition for the batch. */
  readonly missingPartitions: number
}

export type WaitReason =
  | 'missing-partition'
  | 'read-only-database'
  | 'broken-handler-or-schema'
  | 'too-many-dead-letters'
  | 'failing-commit'

/** What follows on a failed attempt. */
export type NextAttempt =
  /** The same batch, after a pause. */
  | { readonly kind: 'again'; readonly waitMs: number }
  /** The same batch, looking for the event that fails. */
  | { readonly kind: 'isolate' }
  /** The topic partition waits, loudly, and is tried again from time to time. */
  | { readonly kind: 'wait'; readonly reason: WaitReason }
  /** The database has forgotten commits: read again from where it is. */
  | { readonly kind: 'read-again' }

/** A batch did not end within its time. */
export class BatchTimeoutError extends Error {
  override readonly name = 'BatchTimeoutError'
  readonly code = 'BATCH_TIMEOUT'
}

/** More events failed than the limit allows: the handler is broken rather than the events. */
export class DeadLetterLimitError extends Error {
  override readonly name = 'DeadLetterLimitError'
  readonly code = 'DEAD_LETTER_LIMIT'
}

const LONGEST_PAUSE_MS = 30_000

/** The one place where it is decided what a failure means. By codes, never by wording; `chance` is from 0 to 1. */
export function nextAttempt(failed: FailedAttempt, chance: number): NextAttempt {
  const { error } = failed
  if (error instanceof DeadLetterLimitError) return { kind: 'wait', reason: 'too-many-dead-letters' }
  if (error instanceof BatchTimeoutError) return again(failed, chance)
  // Whatever the event: the handler as it is written can keep no promise.
  if (error instanceof HandlerLeftTransactionError)
    return { kind: 'wait', reason: 'broken-handler-or-schema' }
  if (error instanceof CommitRefusedError) return onceIsolated(failed, 'failing-commit')
  const complaint = complaintOf(error)
  if (complaint === null) {
    // Thrown by the handler, or a fault of ours: an event can only be to blame for the first.
    return failed.phase === 'apply' ? onceIsolated(failed, 'broken-handler-or-schema') : again(failed, chance)
  }
  if (isPassing(complaint)) return again(failed, chance)
  if (hasForgotten(error)) return { kind: 'read-again' }
  if (isMissingPartition(error)) {
    // An insert that was under way while the day was attached fails once more after that; look again once.
    if (failed.missingPartitions <= 1) return { kind: 'again', waitMs: 0 }
    return { kind: 'wait', reason: 'missing-partition' }
  }
  if (complaint.sqlstate === SQLSTATE.readOnlyTransaction)
    return { kind: 'wait', reason: 'read-only-database' }
  if (isOfTheSchema(complaint) || failed.phase === 'mark' || failed.phase === 'open') {
    return { kind: 'wait', reason: 'broken-handler-or-schema' }
  }
  return onceIsolated(failed, failed.phase === 'close' ? 'failing-commit' : 'broken-handler-or-schema')
}

const NEVER_OF_THE_EVENT = [BatchTimeoutError, CommitRefusedError, HandlerLeftTransactionError] as const

/** Whether a failure while events are applied may be the fault of one of them. */
export function isOfTheEvent(error: unknown): boolean {
  if (NEVER_OF_THE_EVENT.some((kind) => error instanceof kind)) return false
  const complaint = complaintOf(error)
  if (complaint === null) return true
  return !isPassing(complaint) && !isOfTheSchema(complaint) && !isMissingPartition(error)
}

/** The marker table has no partition for a day: the table is named, and no constraint (a check would have a name). */
export function isMissingPartition(error: unknown): boolean {
  const complaint = complaintOf(error)
  return (
    complaint !== null &&
    complaint.sqlstate === SQLSTATE.checkViolation &&
    complaint.table === 'processed_events' &&
    complaint.constraint === null
  )
}

/** The database was taken back to before what this process has seen committed. */
export function hasForgotten(error: unknown): boolean {
  const sqlstate = complaintOf(error)?.sqlstate
  return sqlstate === SQLSTATE.progressBehind || sqlstate === SQLSTATE.progressMissing
}

/** It will pass: connections (08, 57P, none at all), conflicts (40, 55P03), resources (53), timeouts of our own. */
function isPassing({ sqlstate }: DatabaseComplaint): boolean {
  if (sqlstate === null) return true
  return (
    /^(08|53|57P)/.test(sqlstate) ||
    ['40001', '40P01', '55P03', '25P03', '25P04', '57014', 'XX000'].includes(sqlstate)
  )
}

/** Nothing that an event contains can cause these: names, rights, syntax, a read-only server, two rows for one. */
function isOfTheSchema({ sqlstate }: DatabaseComplaint): boolean {
  return (
    sqlstate !== null && (/^(42|0A|3F|28|3D)/.test(sqlstate) || sqlstate === '21000' || sqlstate === '25006')
  )
}

/** Whether the connection has to be given up: what is wrong with it would be wrong with the next batch too. */
export function spoilsTheConnection(error: unknown): boolean {
  if (error instanceof BatchTimeoutError || isSessionLost(error)) return true
  return sqlstateOf(error) === SQLSTATE.readOnlyTransaction
}

function onceIsolated(failed: FailedAttempt, reason: WaitReason): NextAttempt {
  return failed.isolating ? { kind: 'wait', reason } : { kind: 'isolate' }
}

function again({ failures }: FailedAttempt, chance: number): NextAttempt {
  const pause = Math.min(LONGEST_PAUSE_MS, 100 * 2 ** Math.min(failures - 1, 20))
  return { kind: 'again', waitMs: Math.round(pause * (0.5 + chance / 2)) }
}
