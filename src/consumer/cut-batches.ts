import type { FetchedRecords, KafkaRecord, TopicPartition } from '../kafka/kafka-record.ts'
import type { Offset } from '../kafka/offset.ts'
import type { ConsumerSettings } from './consumer-settings.ts'
import type { Batch, DeadEvent, Event } from './event.ts'
import { identify } from './identify.ts'

/**
 * Cuts what a fetch brought into batches of at most `batchRows` events and `batchBytes` of keys and values. A record
 * that is larger by itself makes a batch of its own. The last batch also covers what the fetch held beyond its last
 * record: control records and aborted ones have offsets too.
 */
export function* cutBatches(fetched: FetchedRecords, settings: ConsumerSettings): Generator<Batch> {
  const { records } = fetched
  let from = 0
  while (from < records.length) {
    const until = endOfBatch(records, from, settings)
    yield batchOf(fetched, records.slice(from, until), until === records.length, settings)
    from = until
  }
}

/** What a fetch covers that held no event: only the place moves. */
export function emptyBatch({ topic, partition }: TopicPartition, lastOffset: Offset): Batch {
  const nothing = { events: [], unidentified: [], lastTimestampMs: Number.NaN }
  return { topic, partition, firstOffset: lastOffset, lastOffset, ...nothing }
}

function endOfBatch(records: readonly KafkaRecord[], from: number, settings: ConsumerSettings): number {
  let bytes = 0
  let until = from
  while (until < records.length && until - from < settings.batchRows) {
    const record = records[until]
    bytes += (record?.value?.length ?? 0) + (record?.key?.length ?? 0)
    if (bytes > settings.batchBytes && until > from) break
    until += 1
  }
  return until
}

function batchOf(
  { topic, partition, lastOffset }: FetchedRecords,
  records: readonly KafkaRecord[],
  isLast: boolean,
  settings: ConsumerSettings,
): Batch {
  const events: Event[] = []
  const unidentified: DeadEvent[] = []
  for (const record of records) {
    const identified = identify(record, topic, settings)
    if ('event' in identified) events.push(identified.event)
    else unidentified.push(identified.dead)
  }
  const last = records.at(-1)
  return {
    topic,
    partition,
    events,
    unidentified,
    firstOffset: records[0]?.offset ?? lastOffset,
    lastOffset: isLast || last === undefined ? lastOffset : last.offset,
    lastTimestampMs: Number(last?.timestamp ?? 0),
  }
}
