-- Marks an event, and says what it is:
--   new        apply its effect, in this transaction
--   duplicate  roll back: near midnight one of its two markers may have been new
--   expired    its day has been dropped, or is about to be: nobody can know any more whether it was applied
--
-- Parameters: group, event_id, timestamp_ms (of the record, in milliseconds), topic, partition, offset.
with fence as (
  select max(t.dropped_through) as day
    from daymark.maintained_tables t
   where t.schema_name = 'daymark' and t.table_name = 'processed_events'
), days as (
  select d.marker_day, d.overlap, d.marker_day <= coalesce(f.day, '-infinity') as is_closed
    from daymark.marker_days(to_timestamp(%(timestamp_ms)s::bigint / 1000.0), '15 minutes') d, fence f
), wanted as (
  -- A day that is closed on the other side of midnight is left out: the event's own day decides.
  select d.marker_day, d.overlap
    from days d
   where not d.is_closed and not exists (select from days own where not own.overlap and own.is_closed)
), marked as (
  insert into daymark.processed_events
    (consumer_group, event_id, marker_day, topic, partition, "offset", overlap)
  select %(group)s::text, %(event_id)s::text, w.marker_day, %(topic)s::text, %(partition)s::integer, %(offset)s::bigint,
         w.overlap
    from wanted w
   -- Every consumer takes the days in one order, so that two that share them never wait for each other.
   order by w.marker_day
  on conflict (consumer_group, event_id, marker_day) do nothing
  returning marker_day
)
select case
         when not exists (select from wanted) then 'expired'
         when (select count(*) from marked) = (select count(*) from wanted) then 'new'
         else 'duplicate'
       end as outcome
