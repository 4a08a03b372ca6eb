import { isUtf8 } from 'node:buffer'
import { headerValuesOf } from '../kafka/header-values.ts'
import type { KafkaRecord } from '../kafka/kafka-record.ts'
import { isBefore } from '../kafka/offset.ts'
import { parseSequence } from '../kafka/sequence-header.ts'
import type { Queryable } from '../postgres/queryable.ts'
import type { ConsumerSettings } from './consumer-settings.ts'
import type { Batch } from './event.ts'
import { followProducers, type NumberedRecord, type SequenceFinding } from './sequence-gaps.ts'
import { listProducerSequences } from './sql/list-producer-sequences.ts'
import { upsertProducerSequences } from './sql/upsert-producer-sequences.ts'

/**
 * Follows the numbering of the producers through a batch, under the lock of its progress row, so that each gap is
 * found by one transaction. Nothing, where no header is configured, or no record carries it.
 */
export async function followBatch(
  tx: Queryable,
  { group, sequenceHeader }: ConsumerSettings,
  batch: Batch,
): Promise<readonly SequenceFinding[]> {
  if (sequenceHeader === null) return []
  const numbered = numberedRecords(batch, sequenceHeader)
  if (numbered.length === 0) return []
  const { topic, partition } = batch
  const producers = [...new Set(numbered.map(({ sequence }) => sequence.producer))].sort()
  const known = await listProducerSequences(tx, { group, topic, partition }, producers)
  const { followed, findings } = followProducers(known, numbered)
  if (followed.length > 0) await upsertProducerSequences(tx, { group, topic, partition }, followed)
  return findings
}

/** The records of a batch that carry a number, in their order; what is no such number counts as none. */
function numberedRecords({ events, unidentified }: Batch, header: string): NumberedRecord[] {
  return [...events, ...unidentified]
    .flatMap(({ record }) => {
      const sequence = sequenceOf(record, header)
      return sequence === null ? [] : [{ offset: record.offset, sequence }]
    })
    .sort((a, b) => (isBefore(a.offset, b.offset) ? -1 : 1))
}

function sequenceOf({ headers = {} }: KafkaRecord, header: string): NumberedRecord['sequence'] | null {
  const [only, ...others] = headerValuesOf(headers, header)
  if (only === undefined || only === null || others.length > 0) return null
  if (typeof only === 'string') return parseSequence(only)
  return isUtf8(only) ? parseSequence(only.toString('utf8')) : null
}
