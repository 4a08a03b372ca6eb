import type { KafkaRecord, TopicPartition } from '../../src/kafka/kafka-record.ts'
import type { Queryable } from '../../src/postgres/queryable.ts'

/** The marker table of the runbook's first step, as it stands there: one table, and a key without a day. */
export const RUNBOOK_TABLE = `
  create table processed_events (
    consumer_group text not null,
    event_id text not null,
    topic text not null,
    partition int not null,
    "offset" bigint not null,
    processed_at timestamptz not null default now(),
    primary key (consumer_group, event_id)
  );
  create index processed_events_processed_at on processed_events (processed_at)`

const GROUP = 'ledger-writer'

/**
 * Handles one event as the runbook does: the marker, then the effect, in one transaction. Its `insert` raises a unique
 * violation for a duplicate; `on conflict do nothing` says the same without an error, and is no slower.
 */
export async function handleEvent(
  session: Queryable,
  { topic, partition }: TopicPartition,
  record: KafkaRecord,
): Promise<'processed' | 'duplicate'> {
  const eventId = String(record.headers?.['event-id'])
  await session.query('begin')
  const marked = await session.query(
    `insert into processed_events (consumer_group, event_id, topic, partition, "offset")
     values ($1::text, $2::text, $3::text, $4::int, $5::bigint)
     on conflict do nothing`,
    [GROUP, eventId, topic, partition, record.offset],
  )
  if (marked.rowCount === 0) {
    await session.query('rollback')
    return 'duplicate'
  }
  const payment = JSON.parse(String(record.value)) as { account: string; amountCents: number }
  await session.query(
    `insert into ledger_entries (event_id, account, amount_cents, booked_at)
     values ($1::text, $2::text, $3::bigint, $4::timestamptz)`,
    [eventId, payment.account, payment.amountCents, new Date(Number(record.timestamp)).toISOString()],
  )
  await session.query('commit')
  return 'processed'
}
