import { arrayText, numberArrayText } from '../../postgres/array-text.ts'
import type { Queryable } from '../../postgres/queryable.ts'
import type { FollowedProducer } from '../sequence-gaps.ts'
import type { SequencePlace } from './list-producer-sequences.ts'

/** Writes where producers are now, and adds to what is missing of them. */
export async function upsertProducerSequences(
  tx: Queryable,
  place: SequencePlace,
  followed: readonly FollowedProducer[],
): Promise<void> {
  await tx.query(
    `insert into daymark.producer_sequences as s
       (consumer_group, topic, partition, producer, session, number, lost_events)
     select $1::text, $2::text, $3::integer, f.producer, f.session, f.number, f.lost
       from unnest($4::text[], $5::bigint[], $6::bigint[], $7::bigint[]) as f (producer, session, number, lost)
     on conflict (consumer_group, topic, partition, producer) do update
        set session = excluded.session,
            number = excluded.number,
            lost_events = s.lost_events + excluded.lost_events,
            seen_at = now()`,
    [
      place.group,
      place.topic,
      place.partition,
      arrayText(followed.map(({ producer }) => producer)),
      numberArrayText(followed.map(({ session }) => session)),
      numberArrayText(followed.map(({ number }) => number)),
      numberArrayText(followed.map(({ lost }) => lost)),
    ],
  )
}
