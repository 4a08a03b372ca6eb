import type { Session } from '../postgres/session.ts'
import { rollback } from '../postgres/transaction.ts'
import type { ConsumerParts } from './consumer-parts.ts'
import { exceedsDeadLetterLimit } from './dead-letter-limit.ts'
import type { Batch } from './event.ts'
import { BatchTimeoutError, DeadLetterLimitError, type Phase, spoilsTheConnection } from './next-attempt.ts'
import type { Reading } from './reading.ts'
import { type RecordedBatch, recordBatch } from './record-batch.ts'

export type Attempt =
  | { readonly recorded: RecordedBatch; readonly tookMs: number }
  | { readonly error: unknown; readonly phase: Phase }

/** Tries once to record a batch, on a session of its own, within the batch's time. Never rejects. */
export async function attemptBatch(
  parts: ConsumerParts,
  reading: Reading,
  batch: Batch,
  isolating: boolean,
): Promise<Attempt> {
  const beganAt = parts.clock()
  let phase: Phase = 'open'
  const reach = (reached: Phase): void => {
    phase = reached
  }
  const judge = (failed: number, fresh: number): void => {
    if (!exceedsDeadLetterLimit(reading.recent, { fresh, failed }, parts.settings.deadLetterLimit)) return
    throw new DeadLetterLimitError(
      `applying ${batch.topic}[${batch.partition}]@${batch.firstOffset}: ${failed} of ${fresh} new events failed, ` +
        `more than the limit of ${parts.settings.deadLetterLimit}. Mend the handler; it goes on by itself.`,
    )
  }
  const { settings, handler } = parts
  const options = { settings, handler, seenOffset: reading.seenOffset, isolating, reach, judge }
  try {
    const recorded = await parts.database.withSession((session) =>
      inTime(parts, session, () => rolledBack(session, () => recordBatch(session, batch, options))),
    )
    return { recorded, tookMs: parts.clock() - beganAt }
  } catch (error) {
    return { error, phase }
  }
}

/** Leaves no transaction open behind a failure, and no connection in use that would fail again. */
export async function rolledBack<Result>(session: Session, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (spoilsTheConnection(error)) session.discard(error as Error)
    else await rollback(session)
    throw error
  }
}

/**
 * Cuts the connection when the batch's time is over, or when everything must be given up: the database rolls back,
 * and a handler that never returns is left behind with a session that is closed to it.
 */
export async function inTime<Result>(
  { settings, giveUp }: Pick<ConsumerParts, 'settings' | 'giveUp'>,
  session: Session,
  work: () => Promise<Result>,
): Promise<Result> {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const end = (found: string): void => {
    const error = new BatchTimeoutError(`recording a batch: ${found}; the transaction was cut off`)
    session.destroy(error)
    reject(error)
  }
  const timer = setTimeout(
    () => end(`it took longer than ${settings.batchTimeoutMs} ms`),
    settings.batchTimeoutMs,
  )
  const onGiveUp = (): void => end('the consumer was told to stop and could not wait for it')
  giveUp.addEventListener('abort', onGiveUp)
  if (giveUp.aborted) onGiveUp()
  const worked = work()
  // Whichever loses the race is settled all the same, and what it says is known already.
  worked.catch(() => undefined)
  try {
    return await Promise.race([worked, over])
  } finally {
    clearTimeout(timer)
    giveUp.removeEventListener('abort', onGiveUp)
  }
}
