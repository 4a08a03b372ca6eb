import type { Queryable } from '../../src/postgres/queryable.ts'

/** The marker table of the runbook's first step, with the effects beside it: what a team may have before daymark. */
export async function createRunbookTable(db: Queryable): Promise<void> {
  await db.query(
    `create schema runbook;
     create table runbook.processed_events (
       consumer_group text not null,
       event_id text not null,
       topic text not null,
       partition int not null,
       "offset" bigint not null,
       processed_at timestamptz not null default now(),
       primary key (consumer_group, event_id)
     );
     create index processed_events_processed_at on runbook.processed_events (processed_at);
     create table runbook.effects (event_id text not null)`,
  )
}

/** The runbook's partitioned table, whose key refuses nobody, with a partition for all time. */
export async function createRunbookPartitions(db: Queryable): Promise<void> {
  await db.query(
    `create schema runbook;
     create table runbook.processed_events (
       consumer_group text not null,
       event_id text not null,
       processed_at timestamptz not null default now(),
       primary key (consumer_group, event_id, processed_at)
     ) partition by range (processed_at);
     create table runbook.processed_events_of_all_time
       partition of runbook.processed_events for values from (minvalue) to (maxvalue)`,
  )
}

/** Marks an event as the runbook does; false where it was marked before. */
export async function markAsRunbook(db: Queryable, eventId: string, ageDays = 0): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into runbook.processed_events (consumer_group, event_id, topic, partition, "offset", processed_at)
     values ('ledger-writer', $1::text, 'payments', 0, 0, now() - $2::integer * interval '1 day')
     on conflict do nothing`,
    [eventId, ageDays],
  )
  return rowCount === 1
}
