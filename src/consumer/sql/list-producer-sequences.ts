import { arrayText } from '../../postgres/array-text.ts'
import type { Queryable } from '../../postgres/queryable.ts'

export type SequencePlace = { readonly group: string; readonly topic: string; readonly partition: number }

/** Where producers are in their numbering of a topic partition; those that were never seen are not listed. */
export async function listProducerSequences(
  tx: Queryable,
  place: SequencePlace,
  producers: readonly string[],
): Promise<{ producer: string; session: number; number: number }[]> {
  const { rows } = await tx.query<{ producer: string; session: number; number: number }>(
    `select producer,
            session::double precision as session,
            number::double precision as number
       from daymark.producer_sequences
      where consumer_group = $1::text
        and topic = $2::text
        and partition = $3::integer
        and producer = any ($4::text[])`,
    [place.group, place.topic, place.partition, arrayText(producers)],
  )
  return rows
}
