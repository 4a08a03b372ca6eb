-- A table that the worker looks after, and its fence: the last day whose rows were dropped. The fence moves
-- forward only, and is written before the day is detached, so that it decides, not the partition.
create table maintained_tables (
  schema_name text collate "C" not null,
  table_name text collate "C" not null,
  dropped_through date,
  made_at timestamptz,
  removed_at timestamptz,
  constraint maintained_tables_are_known_by_name primary key (schema_name, table_name)
);

comment on column maintained_tables.dropped_through is
  'The fence: events of this day or earlier are never applied again. Null until the first run.';
comment on column maintained_tables.made_at is 'When a run that makes days last succeeded.';
comment on column maintained_tables.removed_at is 'When a run that removes days last succeeded.';

-- What may be dropped: only what stands here and still has the same OID, name and bounds.
create table partitions_to_drop (
  schema_name text collate "C" not null,
  table_name text collate "C" not null,
  partition_oid oid not null,
  partition_schema text collate "C" not null,
  partition_name text collate "C" not null,
  from_day date not null,
  until_day date not null,
  intent text not null,
  fenced_at timestamptz not null default now(),
  keep_until timestamptz,
  constraint partitions_to_drop_are_known_by_oid primary key (partition_oid),
  constraint partitions_to_drop_belong_to_a_maintained_table
    foreign key (schema_name, table_name) references maintained_tables (schema_name, table_name),
  constraint partitions_to_drop_hold_a_day_or_more check (from_day < until_day),
  constraint partitions_to_drop_have_a_known_intent check (intent in ('drop', 'park'))
);

-- The high mark of a topic partition, noted by the first run after a day's end. Once the low mark has passed it,
-- all that was appended by then is gone from the broker, whatever its timestamps were.
create table day_marks (
  topic text collate "C" not null,
  partition integer not null,
  day date not null,
  high_mark bigint not null,
  noted_at timestamptz not null default now(),
  constraint day_marks_are_noted_once primary key (topic, partition, day)
);

-- The last settings seen for a topic: what has vanished from the broker keeps its retention until it is forgotten.
create table topic_retentions (
  topic text collate "C" not null,
  retention_ms bigint,
  cleanup_policy text not null,
  seen_at timestamptz not null default now(),
  constraint topic_retentions_are_known_by_topic primary key (topic)
);

comment on column topic_retentions.retention_ms is 'The retention.ms of the topic; null where it is unlimited.';
