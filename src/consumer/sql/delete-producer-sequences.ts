import type { Queryable } from '../../postgres/queryable.ts'
import type { SequencePlace } from './list-producer-sequences.ts'

/**
 * Forgets where producers are in a topic partition, where reading goes on elsewhere than behind what was read: what was
 * skipped, or is counted as lost already, would be counted as missing.
 */
export async function deleteProducerSequences(db: Queryable, place: SequencePlace): Promise<void> {
  await db.query(
    `delete from daymark.producer_sequences
      where consumer_group = $1::text and topic = $2::text and partition = $3::integer`,
    [place.group, place.topic, place.partition],
  )
}
