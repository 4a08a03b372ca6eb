-- Events that were set aside, each with all that is needed to look at it and to replay it. Unique by source
-- position and record timestamp: a redelivery adds nothing, and a topic that was recreated hides nothing.
create table dead_letters (
  id bigint generated always as identity,
  consumer_group text collate "C" not null,
  topic text collate "C" not null,
  partition integer not null,
  "offset" bigint not null,
  record_timestamp timestamptz not null,
  event_id text collate "C",
  marker_day date,
  overlap_day date,
  key bytea,
  value bytea,
  headers jsonb not null default '[]',
  reason text not null,
  error text not null,
  sqlstate text,
  failed_at timestamptz not null default now(),
  replayed_at timestamptz,
  replay_outcome text,
  constraint dead_letters_are_known_by_id primary key (id),
  constraint dead_letters_stand_once_per_record
    unique (consumer_group, topic, partition, "offset", record_timestamp),
  constraint dead_letters_have_a_known_reason
    check (reason in ('bad-id', 'bad-time', 'undecodable', 'expired', 'future', 'handler', 'id-reused')),
  constraint dead_letters_are_settled_in_a_known_way
    check (replay_outcome in ('processed', 'duplicate', 'discarded')),
  constraint dead_letters_are_settled_at_a_moment check ((replayed_at is null) = (replay_outcome is null))
);

create index dead_letters_that_wait on dead_letters (consumer_group, reason, failed_at) where replayed_at is null;

comment on column dead_letters.headers is 'An array of [name, value as base64], in the order of the record.';
comment on column dead_letters.marker_day is 'The day of the marker that stands for this event; null where it has none.';
