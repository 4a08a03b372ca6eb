-- Opens a batch: sets the limits of the transaction, locks the progress row, and says what may be marked.
--
-- `seen_offset` is what the calling process has itself seen committed. A row behind it means that this database
-- has forgotten commits: it was restored from a backup, or a replica that lagged has taken over. That raises
-- DM001, and the caller reads again from where the database is. A row that is missing raises DM002.
--
-- The lock is what a zombie meets: two members that read one topic partition take turns here. The limits are
-- local to the transaction, so that they also hold behind PgBouncer, and lock_timeout already bounds this wait.
create function lock_progress(
  of_group text, of_topic text, of_partition integer, seen_offset bigint,
  statement_timeout_ms integer, lock_timeout_ms integer, idle_timeout_ms integer,
  out next_offset bigint, out fence text, out today text, out now_ms double precision
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
  today := to_char(now() at time zone 'UTC', 'YYYY-MM-DD');
  now_ms := extract(epoch from now()) * 1000;
end
$$;
