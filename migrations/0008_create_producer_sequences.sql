-- Where each producer is in its own numbering, by topic partition and group: what `sequenceHeader` compares with.
-- Written in the transaction of the batch, so that a gap is counted once, whoever reads on after a crash.
create table producer_sequences (
  consumer_group text collate "C" not null,
  topic text collate "C" not null,
  partition integer not null,
  producer text collate "C" not null,
  session bigint not null,
  number bigint not null,
  lost_events bigint not null default 0,
  seen_at timestamptz not null default now(),
  constraint producer_sequences_are_one_row_per_producer primary key (consumer_group, topic, partition, producer),
  constraint producer_sequences_count_from_one check (number >= 1),
  constraint producer_sequences_have_lost_nothing_or_more check (lost_events >= 0)
) with (fillfactor = 50);

comment on column producer_sequences.session is 'The run of the producer: a later one has a larger number.';
comment on column producer_sequences.number is 'The last number that was seen of this session.';
comment on column producer_sequences.lost_events is 'How many events its numbering shows to be missing.';
