import type { TopicPartition } from '../kafka/kafka-record.ts'
import type { Session } from '../postgres/session.ts'
import { decodeEvent } from './decode-event.ts'
import { separateParameters } from './effect-parameters.ts'
import type { EffectStatement } from './effect-statement.ts'
import type { DeadEvent, Event } from './event.ts'
import type { Handler, HandlerEvent } from './handler.ts'
import { openHandlerTransaction, runInsideTransaction } from './handler-transaction.ts'

/** A handler that is ready to run: an SQL one has been built and explained. */
export type ReadyHandler =
  | Exclude<Handler, { kind: 'sql' }>
  | {
      readonly kind: 'sql'
      readonly statement: EffectStatement
      readonly isFused: boolean
      /** What a person should know of the statement before it runs; null where there is nothing. */
      readonly warning: string | null
    }

/** An event with what a handler reads of it. */
export type DecodedEvent = { readonly event: Event; readonly handlerEvent: HandlerEvent }

export type DecodedEvents = {
  readonly decoded: readonly DecodedEvent[]
  readonly undecodable: readonly DeadEvent[]
}

/** Decodes events; what cannot be decoded is dead, with its markers kept, so that a replay meets them. */
export function decodeEvents(events: readonly Event[], topic: string, partition: number): DecodedEvents {
  const decoded: DecodedEvent[] = []
  const undecodable: DeadEvent[] = []
  for (const event of events) {
    const reading = decodeEvent(event, topic, partition)
    if ('handlerEvent' in reading) decoded.push({ event, handlerEvent: reading.handlerEvent })
    else undecodable.push(deadWithMarkers(event, 'undecodable', reading.refusal, null))
  }
  return { decoded, undecodable }
}

/** A dead event whose markers stay, so that no later copy of it is taken for new. */
export function deadWithMarkers(
  event: Event,
  reason: 'undecodable' | 'handler',
  error: string,
  sqlstate: string | null,
): DeadEvent {
  const { record, eventId, markerDay, overlapDay } = event
  return { record, eventId, markerDay, overlapDay, refusedDay: null, reason, error, sqlstate }
}

/** Runs an effect statement over new events, in the batch's transaction. */
export async function applyStatement(
  session: Session,
  statement: EffectStatement,
  source: TopicPartition,
  events: readonly Event[],
): Promise<void> {
  if (events.length === 0) return
  await session.query(
    statement.separate,
    separateParameters(statement, source.topic, source.partition, events),
  )
}

/** Runs a handler over new events, in the batch's transaction. Rejects with whatever stopped it. */
export async function applyHandler(
  session: Session,
  handler: Exclude<Handler, { kind: 'sql' }>,
  events: readonly HandlerEvent[],
): Promise<void> {
  if (events.length === 0) return
  const opened = openHandlerTransaction(session)
  try {
    await runInsideTransaction(async () => {
      if (handler.kind === 'batch') await handler.apply(events, opened.tx)
      else for (const event of events) await handler.applyEach(event, opened.tx)
    })
  } catch (error) {
    // The handler's own error is the one to report, whatever its queries still do.
    await opened.close().catch(() => undefined)
    throw error
  }
  await opened.close()
}
