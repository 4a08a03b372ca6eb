-- Where each group is, written in the transaction of the batch: the truth about what has been applied, while the
-- offset at the broker is only where to look first.
create table consumer_progress (
  consumer_group text collate "C" not null,
  topic text collate "C" not null,
  partition integer not null,
  next_offset bigint not null,
  floor bigint,
  record_timestamp timestamptz,
  lost_records bigint not null default 0,
  updated_at timestamptz not null default now(),
  constraint consumer_progress_is_one_row_per_topic_partition primary key (consumer_group, topic, partition),
  constraint consumer_progress_counts_from_zero check (next_offset >= 0),
  constraint consumer_progress_has_lost_nothing_or_more check (lost_records >= 0)
) with (fillfactor = 50);
-- fillfactor 50: the row changes with every batch, and room on its page lets that be a heap-only update.

comment on column consumer_progress.next_offset is 'The offset after the last record that was recorded.';
comment on column consumer_progress.floor is 'An offset below which nothing is read, set by `progress skip-to`.';
comment on column consumer_progress.record_timestamp is 'The timestamp of the last record that was recorded.';
comment on column consumer_progress.lost_records is 'How many records the broker deleted before they were read.';
