import { setTimeout as delay } from 'node:timers/promises'
import { complaintOf } from '../postgres/sqlstate.ts'
import { CommitRefusedError } from '../postgres/transaction.ts'
import { inTime, rolledBack } from './attempt-batch.ts'
import type { ConsumerParts } from './consumer-parts.ts'
import { withoutNul } from './dead-letter-columns.ts'
import {
  BatchTimeoutError,
  isMissingPartition,
  isOfTheEvent,
  nextAttempt,
  type Phase,
} from './next-attempt.ts'
import type { ReplayWishes } from './plan-replay.ts'
import { type Replayed, replayDeadLetter } from './replay-dead-letter.ts'
import { updateDeadLetterError } from './sql/update-dead-letter-error.ts'
import { adviceFor } from './waiting.ts'

export type ReplayParts = Pick<ConsumerParts, 'settings' | 'handler' | 'database' | 'giveUp' | 'chance'>

/** How often a dead letter is tried while the database has passing trouble: with pauses, some three seconds. */
const TRIES = 5

/**
 * Replays a dead letter, again where the trouble passes. What is wrong with the event itself is written down, and it
 * waits on; what is wrong with the handler or the schema is thrown: it would be so with every other event too.
 */
export async function replayUntilDone(
  parts: ReplayParts,
  id: string,
  wishes: ReplayWishes,
): Promise<Replayed> {
  const { database, settings, handler } = parts
  for (let failures = 1; ; failures++) {
    let phase: Phase = 'open'
    const reach = (reached: Phase): void => {
      phase = reached
    }
    const options = { settings, handler, wishes, reach }
    try {
      const replayed = await database.withSession((session) =>
        inTime(parts, session, () => rolledBack(session, () => replayDeadLetter(session, id, options))),
      )
      if (replayed.outcome === 'kept') await updateDeadLetterError(database, id, replayed.error, null)
      return replayed
    } catch (error) {
      // By hand, and with others behind it: a handler that hangs is not waited for a second time.
      if (error instanceof BatchTimeoutError) {
        await updateDeadLetterError(database, id, error.message, null)
        return { outcome: 'kept', error: error.message }
      }
      const next = nextAttempt(
        { error, phase, failures, isolating: true, missingPartitions: 2 },
        parts.chance(),
      )
      if (next.kind === 'again' && failures < TRIES) {
        await delay(next.waitMs)
        continue
      }
      // Ours to mend, and nothing that the event should be remembered by.
      if (isMissingPartition(error)) return { outcome: 'kept', error: adviceFor('missing-partition') }
      if (!isItsOwn(error, phase)) throw error
      const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      await updateDeadLetterError(database, id, withoutNul(text), complaintOf(error)?.sqlstate ?? null)
      return { outcome: 'kept', error: text }
    }
  }
}

/** A handler that swallowed the error of a statement is found out by COMMIT; there is one event only to have caused it. */
function isItsOwn(error: unknown, phase: Phase): boolean {
  if (error instanceof CommitRefusedError) return true
  return (phase === 'apply' || phase === 'close') && isOfTheEvent(error)
}
