import type { Session } from '../postgres/session.ts'
import { complaintOf } from '../postgres/sqlstate.ts'
import { type DecodedEvent, deadWithMarkers } from './apply-effects.ts'
import type { DeadEvent, Event } from './event.ts'
import { isOfTheEvent } from './next-attempt.ts'

/**
 * Applies events of which some fail: by halves under savepoints, in order, until each that fails stands alone. The
 * good ones around it apply once. A failure that no event is to blame for (a lost connection, a missing table)
 * passes on unchanged.
 */
export async function isolateFailures(
  session: Session,
  events: readonly DecodedEvent[],
  apply: (events: readonly DecodedEvent[]) => Promise<void>,
): Promise<DeadEvent[]> {
  if (events.length === 0) return []
  await session.query('savepoint half')
  try {
    await apply(events)
    // A deferred constraint would fail at COMMIT, where nobody can tell whose it was.
    await session.query('set constraints all immediate')
    await session.query('set constraints all deferred')
    await session.query('release savepoint half')
    return []
  } catch (error) {
    if (!isOfTheEvent(error)) throw error
    await session.query('rollback to savepoint half')
    await session.query('release savepoint half')
    return events.length === 1 ? events.map(({ event }) => failed(event, error)) : await byHalves()
  }

  async function byHalves(): Promise<DeadEvent[]> {
    const middle = Math.ceil(events.length / 2)
    const first = await isolateFailures(session, events.slice(0, middle), apply)
    const second = await isolateFailures(session, events.slice(middle), apply)
    return [...first, ...second]
  }
}

function failed(event: Event, error: unknown): DeadEvent {
  const complaint = complaintOf(error)
  const text =
    error instanceof Error ? `${error.name}: ${error.message}` : `the handler threw ${String(error)}`
  return deadWithMarkers(event, 'handler', text, complaint?.sqlstate ?? null)
}
