-- The markers: a row says that a group has applied an event.
--
-- A unique key on a partitioned table must contain the partition column. So that column has to be the same for
-- every delivery of an event: `marker_day` is a pure function of the record, never of a clock. A key that
-- contains `processed_at default now()` refuses nothing: two inserts of one id a millisecond apart both succeed.
--
-- The key costs one index per day, about 100 bytes an event. There is no other: retention goes by partition, so
-- `processed_at` needs none. There is no default partition: rows in it would forbid the day that they belong to,
-- and `detach concurrently` refuses a table that has one. There are no foreign keys: removing a day would lock
-- both tables. The columns stand in this order because fixed widths before text save the padding.
create table processed_events (
  "offset" bigint not null,
  processed_at timestamptz not null default now(),
  marker_day date not null,
  partition integer not null,
  value_crc32 integer,
  overlap boolean not null default false,
  consumer_group text collate "C" not null,
  event_id text collate "C" not null,
  topic text collate "C" not null,
  constraint processed_events_mark_an_event_once_per_group_and_day
    primary key (consumer_group, event_id, marker_day),
  -- 255 bytes for the id; with its topic before it (idScope 'topic') 250 more.
  constraint processed_events_have_an_id_of_1_to_505_bytes
    check (octet_length(event_id) between 1 and 505)
) partition by range (marker_day);

comment on table processed_events is 'One row per event that a consumer group has applied, by UTC day.';
comment on column processed_events.value_crc32 is 'CRC-32 of the value as a signed integer; null for a tombstone.';
comment on column processed_events.overlap is
  'True for the second marker of an event near midnight, so that counts stay one per event.';

-- The first runway, so that an insert works before any worker has run. From here on the worker makes the days.
do $$
declare
  today date := (now() at time zone 'UTC')::date;
  day date;
begin
  for day in select today + n from generate_series(-1, 7) as n loop
    execute format(
      'create table %I partition of processed_events for values from (%L) to (%L)',
      'processed_events_' || to_char(day, 'YYYY_MM_DD'), to_char(day, 'YYYY-MM-DD'), to_char(day + 1, 'YYYY-MM-DD')
    );
  end loop;
end
$$;
