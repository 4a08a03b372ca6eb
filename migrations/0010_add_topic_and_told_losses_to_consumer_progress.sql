-- Which topic of that name the offsets count in: one that is deleted and made anew has another id, and offsets that
-- begin at zero again. And up to where lost records have been counted, so that they are counted once, whichever
-- process finds them next.
alter table consumer_progress
  add column topic_id uuid,
  add column lost_until bigint;

comment on column consumer_progress.topic_id is
  'The id of the topic at the broker; null where the broker gives none, and until it is first looked at.';
comment on column consumer_progress.lost_until is
  'The low mark up to which lost records have been counted in events_lost_total; null where none were.';
