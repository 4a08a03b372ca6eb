import type { ConsumerParts } from './consumer-parts.ts'
import type { Batch, DeadReason, Event } from './event.ts'
import type { RecordedBatch } from './record-batch.ts'
import { reportSequences } from './report-sequences.ts'

/** Tells metrics and log what a committed batch did: a line per event at debug, one per dead letter at warn. */
export function reportBatch(
  parts: ConsumerParts,
  batch: Batch,
  recorded: RecordedBatch,
  tookMs: number,
): void {
  const { topic, partition } = batch
  const dead: Partial<Record<DeadReason, number>> = {}
  for (const { reason } of recorded.dead) dead[reason] = (dead[reason] ?? 0) + 1
  parts.observer.batchRecorded({
    topic,
    partition,
    processed: recorded.processed.length,
    redelivered: recorded.redelivered.length,
    republished: recorded.republished.length,
    dead,
    tookMs,
  })
  reportSequences(parts, batch, recorded.sequences)
  if (recorded.dead.length > 0) {
    const [first] = recorded.dead
    parts.log.warn(
      { topic, partition, offset: first?.record.offset, dead, error: first?.error },
      'events were set aside as dead letters',
    )
  }
  if (parts.log.isDebug()) logEvents(parts, batch, recorded)
}

function logEvents(parts: ConsumerParts, { topic, partition }: Batch, recorded: RecordedBatch): void {
  const write = (outcome: string, events: readonly Pick<Event, 'eventId' | 'record'>[]): void => {
    for (const { eventId, record } of events) {
      parts.log.debug(
        { event_id: eventId, topic, partition, offset: record.offset, outcome },
        'an event was handled',
      )
    }
  }
  write('processed', recorded.processed)
  write('duplicate', recorded.redelivered)
  write('duplicate', recorded.republished)
  for (const { eventId, record, reason } of recorded.dead) {
    parts.log.debug(
      { event_id: eventId, topic, partition, offset: record.offset, outcome: 'dead', reason },
      'an event was handled',
    )
  }
}
