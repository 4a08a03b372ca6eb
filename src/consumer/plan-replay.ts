import { crc32 } from 'node:zlib'
import type { IdentitySettings } from './consumer-settings.ts'
import type { DeadLetter } from './dead-letter.ts'
import type { Event } from './event.ts'
import { identify } from './identify.ts'
import { rebuildRecord } from './rebuild-record.ts'
import { placeOf, type Window } from './window.ts'

/** What the person who replays has said. */
export type ReplayWishes = {
  /** The id that a record with a bad one should have had; null where nobody gave one. */
  readonly eventId: string | null
  /** Apply also what may have been applied before: nobody can know. */
  readonly mayHaveBeenApplied: boolean
}

/** What a replay of a dead letter would do. */
export type ReplayPlan =
  /** Mark it first, or meet the marker that it left, and apply it if that shows that it has not been. */
  | { readonly kind: 'mark'; readonly event: Event }
  /** Apply it; no marker can tell whether it has been. */
  | { readonly kind: 'apply-unmarked'; readonly event: Event }
  /** It cannot be replayed as it is. */
  | { readonly kind: 'keep'; readonly error: string }
  /** Somebody has to say more first. */
  | { readonly kind: 'ask'; readonly error: string }

/** Decides what a replay does with a dead letter. Pure: a dry run shows the plan that a replay carries out. */
export function planReplay(
  letter: DeadLetter,
  window: Window,
  settings: IdentitySettings,
  wishes: ReplayWishes,
): ReplayPlan {
  const identified = identifyAgain(letter, settings, wishes)
  if ('error' in identified) return { kind: 'keep', error: identified.error }
  const { event } = identified
  if (letter.reason === 'id-reused') {
    if (wishes.mayHaveBeenApplied) return { kind: 'apply-unmarked', event }
    return ask('its id stands for another event, so no marker can tell whether this one has been applied')
  }
  switch (placeOf(event.markerDay, window)) {
    case 'open':
      return { kind: 'mark', event }
    case 'future':
      return {
        kind: 'keep',
        error: `its day ${event.markerDay} still lies after ${window.lastDay}, the last day that may be marked`,
      }
    case 'expired':
      if (wishes.mayHaveBeenApplied) return { kind: 'apply-unmarked', event }
      return ask(`its day ${event.markerDay} was dropped, so no marker can tell whether it has been applied`)
  }
}

function ask(found: string): ReplayPlan {
  return { kind: 'ask', error: `${found}; replay it with --may-have-been-applied where that is right` }
}

/** What left markers has the identity that they carry; anything else is identified anew. */
function identifyAgain(
  letter: DeadLetter,
  settings: IdentitySettings,
  { eventId }: ReplayWishes,
): { readonly event: Event } | { readonly error: string } {
  const record = rebuildRecord(letter)
  const { markerDay, overlapDay } = letter
  if (markerDay !== null && letter.eventId !== null) {
    const valueCrc32 = record.value === null ? null : crc32(record.value) | 0
    return { event: { record, eventId: letter.eventId, markerDay, overlapDay, valueCrc32 } }
  }
  const corrected: IdentitySettings =
    letter.reason === 'bad-id' && eventId !== null
      ? { ...settings, eventId: { kind: 'function', of: () => eventId } }
      : settings
  const identified = identify(record, letter.topic, corrected)
  if ('event' in identified) return identified
  const { reason, error } = identified.dead
  return {
    error: reason === 'bad-id' && eventId === null ? `${error}; give it one with --event-id` : error,
  }
}
