import type { Day } from '../calendar/period.ts'
import type { DeadEvent, Event } from './event.ts'
import { placeOf, type Window } from './window.ts'

/** An event to be marked, in its own day and, near midnight, in its neighbour too. */
export type Candidate = {
  readonly event: Event
  /** The second day, where it is open; the first copy of an event is met in whichever of both days it stands. */
  readonly secondDay: Day | null
}

/** A later copy, inside one batch, of an event that the batch is about to mark. */
export type Copy = { readonly event: Event; readonly of: Event }

export type Candidates = {
  readonly toMark: readonly Candidate[]
  readonly copies: readonly Copy[]
  /** Events of days that cannot be marked. */
  readonly closed: readonly DeadEvent[]
}

/**
 * Decides which events of a batch can be marked: first by day, then by folding the copies of one id whose days meet.
 * The lowest offset wins, because it is the one that a reader without batches would have seen first.
 */
export function chooseCandidates(events: readonly Event[], window: Window): Candidates {
  const toMark: Candidate[] = []
  const copies: Copy[] = []
  const closed: DeadEvent[] = []
  const winners = new Map<string, Candidate[]>()
  for (const event of events) {
    const place = placeOf(event.markerDay, window)
    if (place !== 'open') {
      closed.push(closedEvent(event, place, window))
      continue
    }
    const { overlapDay } = event
    const secondDay = overlapDay !== null && placeOf(overlapDay, window) === 'open' ? overlapDay : null
    const candidate = { event, secondDay }
    const sameId = winners.get(event.eventId)
    const winner = sameId?.find((other) => meets(other, candidate))
    if (winner) {
      copies.push({ event, of: winner.event })
      continue
    }
    toMark.push(candidate)
    if (sameId) sameId.push(candidate)
    else winners.set(event.eventId, [candidate])
  }
  return { toMark, copies, closed }
}

function meets(a: Candidate, b: Candidate): boolean {
  const days = [b.event.markerDay, b.secondDay]
  return days.includes(a.event.markerDay) || (a.secondDay !== null && days.includes(a.secondDay))
}

function closedEvent(event: Event, place: 'expired' | 'future', window: Window): DeadEvent {
  const error =
    place === 'expired'
      ? `its day ${event.markerDay} is at or before the fence ${window.fence}: whether it was applied is no longer known`
      : `its day ${event.markerDay} lies after ${window.lastDay}, the last day that may be marked`
  return {
    record: event.record,
    eventId: event.eventId,
    markerDay: null,
    overlapDay: null,
    refusedDay: event.markerDay,
    reason: place,
    error,
    sqlstate: null,
  }
}
