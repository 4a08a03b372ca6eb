import { isUtf8 } from 'node:buffer'
import { nextAfter, type Offset } from '../kafka/offset.ts'
import type { Session } from '../postgres/session.ts'
import { settled } from '../postgres/settled.ts'
import { begin, commit } from '../postgres/transaction.ts'
import {
  applyHandler,
  applyStatement,
  type DecodedEvent,
  decodeEvents,
  type ReadyHandler,
} from './apply-effects.ts'
import { askElders } from './ask-elders.ts'
import { chooseCandidates } from './candidates.ts'
import type { ConsumerSettings } from './consumer-settings.ts'
import { deadLetterColumns } from './dead-letter-columns.ts'
import type { Batch, DeadEvent, Event } from './event.ts'
import { followBatch } from './follow-batch.ts'
import { isolateFailures } from './isolate-failures.ts'
import { applyFused, mark } from './mark.ts'
import type { Phase } from './next-attempt.ts'
import type { Outcomes } from './outcomes.ts'
import type { SequenceFinding } from './sequence-gaps.ts'
import { insertDeadLetters } from './sql/insert-dead-letters.ts'
import { lockProgress } from './sql/lock-progress.ts'
import { writeProgress } from './sql/write-progress.ts'
import { windowOf } from './window.ts'

/** What a committed transaction did. */
export type RecordedBatch = {
  readonly processed: readonly Event[]
  readonly redelivered: readonly Event[]
  readonly republished: readonly Event[]
  readonly dead: readonly DeadEvent[]
  readonly nextOffset: Offset
  /** What the producers' own numbering showed; nothing where it is not followed. */
  readonly sequences: readonly SequenceFinding[]
}

export type RecordBatchOptions = {
  readonly settings: ConsumerSettings
  readonly handler: ReadyHandler
  /** What this process has itself seen committed for the topic partition. */
  readonly seenOffset: Offset
  /** Look for the events that fail, by halves. */
  readonly isolating: boolean
  /** Hears how far the transaction has come. */
  readonly reach: (phase: Phase) => void
  /** Hears how many of how many new events failed, before anything is committed; may throw to stop it. */
  readonly judge: (failed: number, fresh: number) => void
}

/**
 * Records one batch in one transaction: begin, lock the progress row, mark the events never seen, apply their
 * effects, set the dead ones aside, write the progress, commit. All of it, or nothing.
 *
 * BEGIN and the lock are awaited; whatever is sent after them runs inside a transaction that is proven open.
 */
export async function recordBatch(
  session: Session,
  batch: Batch,
  options: RecordBatchOptions,
): Promise<RecordedBatch> {
  const { settings, handler, reach } = options
  const { group, onExpired } = settings
  const { topic, partition } = batch
  const nextOffset = nextAfter(batch.lastOffset)

  reach('open')
  const [, locked] = await settled([begin(session), lockProgress(session, lockOf(batch, options))])
  const window = windowOf(locked.fence, locked.today, settings.runwayDays)

  const isolating = options.isolating || (handler.kind === 'sql' && !isAllText(batch))
  // Fused, the effects would be there before an elder could be asked.
  const fused = !isolating && !locked.hasElders && handler.kind === 'sql' && handler.isFused
  reach(fused ? 'apply' : 'mark')
  const candidates = chooseCandidates(batch.events, window)
  const marked = fused
    ? await applyFused(session, group, batch, candidates, handler.statement)
    : await mark(session, group, batch, candidates)
  const outcomes = locked.hasElders ? await askElders(session, settings, batch, marked) : marked

  reach('apply')
  const failed = fused ? [] : await apply(session, batch, outcomes.fresh, options, isolating)

  reach('close')
  const sequences = await followBatch(session, settings, batch)
  const dead = [...batch.unidentified, ...candidates.closed, ...outcomes.reused, ...failed]
  const kept = dead.filter(({ reason }) => reason !== 'expired' || onExpired === 'dead-letter')
  await settled([
    ...(kept.length === 0
      ? []
      : [insertDeadLetters(session, group, topic, partition, deadLetterColumns(kept))]),
    writeProgress(session, { group, topic, partition, nextOffset, recordTimestampMs: batch.lastTimestampMs }),
    commit(session),
  ])
  return { ...recordedOf(outcomes, failed), dead, nextOffset, sequences }
}

/** Applies the new events; returns those that failed, where they are being looked for, or could not be decoded. */
async function apply(
  session: Session,
  batch: Batch,
  fresh: readonly Event[],
  { handler, judge }: RecordBatchOptions,
  isolating: boolean,
): Promise<DeadEvent[]> {
  if (handler.kind === 'sql' && !isolating) {
    await applyStatement(session, handler.statement, batch, fresh)
    return []
  }
  const { decoded, undecodable } = decodeEvents(fresh, batch.topic, batch.partition)
  const run = (events: readonly DecodedEvent[]): Promise<void> =>
    handler.kind === 'sql'
      ? applyStatement(
          session,
          handler.statement,
          batch,
          events.map(({ event }) => event),
        )
      : applyHandler(
          session,
          handler,
          events.map(({ handlerEvent }) => handlerEvent),
        )
  if (!isolating) await run(decoded)
  const isolated = isolating ? await isolateFailures(session, decoded, run) : []
  judge(undecodable.length + isolated.length, fresh.length)
  return [...undecodable, ...isolated]
}

/** Bytes that are no text would be changed on the way into a statement; then each event is looked at by itself. */
function isAllText({ events }: Batch): boolean {
  return events.every(
    ({ record: { key, value } }) => (key === null || isUtf8(key)) && (value === null || isUtf8(value)),
  )
}

function recordedOf(
  { fresh, redelivered, republished }: Outcomes,
  failed: readonly DeadEvent[],
): Pick<RecordedBatch, 'processed' | 'redelivered' | 'republished'> {
  const failedRecords = new Set(failed.map(({ record }) => record))
  const processed = failed.length === 0 ? fresh : fresh.filter(({ record }) => !failedRecords.has(record))
  return { processed, redelivered, republished }
}

/**
 * The limits of the transaction. Waiting for the row ends before the batch's time does, so that its reason is seen;
 * a member that froze or vanished with the row in hand is put out a little after its own time would have ended.
 */
function lockOf({ topic, partition }: Batch, { settings, seenOffset }: RecordBatchOptions) {
  const { group, batchTimeoutMs } = settings
  return {
    group,
    topic,
    partition,
    seenOffset,
    statementTimeoutMs: Math.ceil(batchTimeoutMs * 0.9),
    lockTimeoutMs: Math.ceil(batchTimeoutMs * 0.8),
    idleTimeoutMs: batchTimeoutMs + 5_000,
  }
}
