-- Marker tables from before daymark. While one stands here every batch asks it too, so that what an old consumer has
-- applied is not applied again; when its youngest row lies far enough behind the fence, the worker drops it.
create table elders (
  table_oid oid not null,
  schema_name text collate "C" not null,
  table_name text collate "C" not null,
  form text collate "C" not null,
  adopted_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz,
  constraint elders_are_known_by_oid primary key (table_oid),
  constraint elders_have_a_known_form check (form in ('keyed', 'partitioned'))
);

comment on column elders.form is
  'keyed: unique by (consumer_group, event_id), so that whoever writes second is refused. partitioned: with processed_at in the key, which refuses nobody; old writers were blocked before it was adopted.';
comment on column elders.retired_at is 'From when on no batch asks it any more; a later run drops it.';

-- Which of these events an elder knows: an old consumer has applied them. In a keyed one the others are inserted, so
-- that an old consumer which still runs, or a zombie of one, meets the key; with the moment of the adoption, so that
-- the youngest row stays that of the old consumers. The transaction is the batch's: marker, elder's row and effect
-- commit together.
create function meet_elders(
  of_group text, of_topic text, of_partition integer, event_ids text[], offsets bigint[], ids_have_topic boolean
) returns setof text language plpgsql set search_path from current as $$
declare
  elder elders;
begin
  for elder in select * from elders e where e.retired_at is null order by e.table_oid loop
    if to_regclass(format('%I.%I', elder.schema_name, elder.table_name)) is distinct from elder.table_oid::regclass then
      raise exception 'the elder %.% is not the table that was adopted: it was dropped or renamed by hand',
        elder.schema_name, elder.table_name using errcode = '42P01';
    end if;
    if ids_have_topic then
      raise exception 'the elder %.% knows events without their topic: idScope ''topic'' cannot be used until it is dropped',
        elder.schema_name, elder.table_name using errcode = '42P17';
    end if;
    if elder.form = 'keyed' then
      return query execute format(
        'with input as materialized (
           select i.event_id, i."offset" from unnest($4, $5) as i (event_id, "offset")
         ), taken as (
           insert into %I.%I (consumer_group, event_id, topic, partition, "offset", processed_at)
           select $1, i.event_id, $2, $3, i."offset", $6 from input i order by i.event_id collate "C"
           on conflict (consumer_group, event_id) do nothing
           returning event_id
         )
         select i.event_id from input i where not exists (select from taken t where t.event_id = i.event_id)',
        elder.schema_name, elder.table_name)
        using of_group, of_topic, of_partition, event_ids, offsets, elder.adopted_at;
    else
      return query execute format(
        'select distinct e.event_id::text from %I.%I e where e.consumer_group = $1 and e.event_id = any ($2)',
        elder.schema_name, elder.table_name)
        using of_group, event_ids;
    end if;
  end loop;
end
$$;

-- What an old consumer is told that still writes into a table which was adopted, and whose key would not refuse it.
create function refuse_old_writer() returns trigger language plpgsql as $$
begin
  raise exception 'daymark has adopted %.% and records the events now: stop this consumer', tg_table_schema, tg_table_name
    using errcode = 'object_not_in_prerequisite_state';
end
$$;

-- As before, and says whether there is an elder to ask.
drop function lock_progress(text, text, integer, bigint, integer, integer, integer);
create function lock_progress(
  of_group text, of_topic text, of_partition integer, seen_offset bigint,
  statement_timeout_ms integer, lock_timeout_ms integer, idle_timeout_ms integer,
  out next_offset bigint, out fence text, out today text, out now_ms double precision, out has_elders boolean
) language plpgsql set search_path from current as $$
begin
  perform set_config('statement_timeout', statement_timeout_ms::text, true),
          set_config('lock_timeout', lock_timeout_ms::text, true),
          set_config('idle_in_transaction_session_timeout', idle_timeout_ms::text, true);

  select p.next_offset into lock_progress.next_offset
    from consumer_progress p
   where p.consumer_group = of_group and p.topic = of_topic and p.partition = of_partition
     for update;
  if not found then
    raise exception 'progress of % % % is missing', of_group, of_topic, of_partition using errcode = 'DM002';
  end if;
  if lock_progress.next_offset < seen_offset then
    raise exception 'progress of % % % is %, behind % that was committed before',
      of_group, of_topic, of_partition, lock_progress.next_offset, seen_offset using errcode = 'DM001';
  end if;

  select to_char(t.dropped_through, 'YYYY-MM-DD') into fence
    from maintained_tables t
   where t.table_name = 'processed_events' and t.schema_name = current_schema;
  has_elders := exists (select from elders e where e.retired_at is null);
  today := to_char(now() at time zone 'UTC', 'YYYY-MM-DD');
  now_ms := extract(epoch from now()) * 1000;
end
$$;
