import type { TopicPartition } from '../kafka/kafka-record.ts'
import type { Queryable } from '../postgres/queryable.ts'
import type { ConsumerSettings } from './consumer-settings.ts'
import type { Outcomes } from './outcomes.ts'
import { meetElders } from './sql/meet-elders.ts'

/**
 * Asks the tables from before daymark about the events that are new by their markers. What one knows was applied by an
 * old consumer: it counts as delivered again, and keeps its marker, so that the elder need not be asked about it twice.
 */
export async function askElders(
  tx: Queryable,
  { group, idScope }: Pick<ConsumerSettings, 'group' | 'idScope'>,
  { topic, partition }: TopicPartition,
  outcomes: Outcomes,
): Promise<Outcomes> {
  const { fresh } = outcomes
  if (fresh.length === 0) return outcomes
  const known = new Set(
    await meetElders(tx, {
      group,
      topic,
      partition,
      eventIds: fresh.map(({ eventId }) => eventId),
      offsets: fresh.map(({ record }) => record.offset),
      idsHaveTopic: idScope === 'topic',
    }),
  )
  if (known.size === 0) return outcomes
  return {
    ...outcomes,
    fresh: fresh.filter(({ eventId }) => !known.has(eventId)),
    redelivered: [...outcomes.redelivered, ...fresh.filter(({ eventId }) => known.has(eventId))],
  }
}
