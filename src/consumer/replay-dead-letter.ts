import type { TopicPartition } from '../kafka/kafka-record.ts'
import type { Session } from '../postgres/session.ts'
import { settled } from '../postgres/settled.ts'
import { begin, commit, rollback } from '../postgres/transaction.ts'
import { applyHandler, applyStatement, decodeEvents, type ReadyHandler } from './apply-effects.ts'
import { askElders } from './ask-elders.ts'
import { chooseCandidates } from './candidates.ts'
import type { ConsumerSettings } from './consumer-settings.ts'
import type { DeadLetter } from './dead-letter.ts'
import type { Batch, Event } from './event.ts'
import { mark } from './mark.ts'
import type { Phase } from './next-attempt.ts'
import { planReplay, type ReplayPlan, type ReplayWishes } from './plan-replay.ts'
import { findDeadLetter } from './sql/find-dead-letter.ts'
import { findWindow } from './sql/find-window.ts'
import { limitTransaction } from './sql/limit-transaction.ts'
import { lockDeadLetter } from './sql/lock-dead-letter.ts'
import { stampDeadLetter } from './sql/stamp-dead-letter.ts'
import { type Window, windowOf } from './window.ts'

/** What became of a dead letter that was to be replayed. */
export type Replayed =
  | { readonly outcome: 'processed' | 'duplicate' }
  /** It had been settled before, or the group has no such dead letter. */
  | { readonly outcome: 'settled' | 'missing' }
  /** It waits on: what stands in the way, or what somebody has to say first. */
  | { readonly outcome: 'kept' | 'asked'; readonly error: string }

export type ReplayOptions = {
  readonly settings: ConsumerSettings
  readonly handler: ReadyHandler
  readonly wishes: ReplayWishes
  /** Hears how far the transaction has come. */
  readonly reach: (phase: Phase) => void
}

/**
 * Replays one dead letter in one transaction: begin, lock it, meet or insert its markers, apply its effect, stamp it,
 * commit. Whatever else reads the event at the same time, a consumer or another replay, meets the lock or the markers.
 */
export async function replayDeadLetter(
  session: Session,
  id: string,
  options: ReplayOptions,
): Promise<Replayed> {
  const { settings, wishes, reach } = options
  const { group, batchTimeoutMs, runwayDays } = settings
  reach('open')
  const limits = {
    statementTimeoutMs: Math.ceil(batchTimeoutMs * 0.9),
    lockTimeoutMs: Math.ceil(batchTimeoutMs * 0.8),
    idleTimeoutMs: batchTimeoutMs + 5_000,
  }
  const [, , isThere] = await settled([
    begin(session),
    limitTransaction(session, limits),
    lockDeadLetter(session, group, id),
  ])
  const letter = isThere ? await findDeadLetter(session, id) : null
  if (letter === null) return giveUp(session, { outcome: 'missing' })
  if (letter.replayOutcome !== null) return giveUp(session, { outcome: 'settled' })
  const { fence, today } = await findWindow(session)
  const window = windowOf(fence, today, runwayDays)
  const plan = planReplay(letter, window, settings, wishes)
  if (plan.kind === 'keep') return giveUp(session, { outcome: 'kept', error: plan.error })
  if (plan.kind === 'ask') return giveUp(session, { outcome: 'asked', error: plan.error })
  return carryOut(session, letter, plan, window, options)
}

async function carryOut(
  session: Session,
  letter: DeadLetter,
  plan: Extract<ReplayPlan, { event: Event }>,
  window: Window,
  options: ReplayOptions,
): Promise<Replayed> {
  const { settings, reach, handler } = options
  const { event } = plan
  reach('mark')
  const finding = plan.kind === 'mark' ? await meetMarkers(session, letter, event, window, settings) : 'new'
  if (typeof finding === 'object') return giveUp(session, { outcome: 'kept', error: finding.error })
  if (finding === 'new') {
    reach('apply')
    const error = await applyEvent(session, handler, letter, event)
    if (error !== null) return giveUp(session, { outcome: 'kept', error })
  }
  reach('close')
  const outcome = finding === 'new' ? 'processed' : 'duplicate'
  // A duplicate's markers belong to the event that was first.
  const isMarked = plan.kind === 'mark' && finding === 'new'
  await settled([
    stampDeadLetter(session, {
      id: letter.id,
      outcome,
      eventId: event.eventId,
      markerDay: isMarked ? event.markerDay : null,
      overlapDay: isMarked ? event.overlapDay : null,
    }),
    commit(session),
  ])
  return { outcome }
}

/**
 * Inserts the markers of the event. Where they stand already and the dead letter left them itself, nobody has applied
 * it since; where they are another record's, or were set by a later delivery of this one, it has been.
 */
async function meetMarkers(
  session: Session,
  letter: DeadLetter,
  event: Event,
  window: Window,
  settings: ConsumerSettings,
): Promise<'new' | 'applied' | { readonly error: string }> {
  const candidates = chooseCandidates([event], window)
  const marked = await mark(session, settings.group, batchOf(letter, event), candidates)
  const { fresh, redelivered, reused } = await askElders(session, settings, letter, marked)
  const [other] = reused
  if (other !== undefined) return { error: other.error }
  if (fresh.length === 1) return 'new'
  return letter.markerDay !== null && redelivered.length === 1 ? 'new' : 'applied'
}

/** Applies one event; returns what is wrong with it where it cannot even be decoded. */
async function applyEvent(
  session: Session,
  handler: ReadyHandler,
  source: TopicPartition,
  event: Event,
): Promise<string | null> {
  const { decoded, undecodable } = decodeEvents([event], source.topic, source.partition)
  const [refused] = undecodable
  if (refused !== undefined) return refused.error
  if (handler.kind === 'sql') await applyStatement(session, handler.statement, source, [event])
  else {
    await applyHandler(
      session,
      handler,
      decoded.map(({ handlerEvent }) => handlerEvent),
    )
  }
  return null
}

function batchOf({ topic, partition, offset }: DeadLetter, event: Event): Batch {
  const lastTimestampMs = Number(event.record.timestamp)
  return {
    topic,
    partition,
    events: [event],
    unidentified: [],
    firstOffset: offset,
    lastOffset: offset,
    lastTimestampMs,
  }
}

async function giveUp(session: Session, replayed: Replayed): Promise<Replayed> {
  await rollback(session)
  return replayed
}
