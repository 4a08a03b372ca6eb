-- The day for which an event was refused, so that a day is brought back only where nothing of it was refused meanwhile.
-- An event that is refused has no marker, so marker_day is null; and where the day comes from the id, the record's
-- timestamp does not tell it.
alter table dead_letters add column refused_day date;

comment on column dead_letters.refused_day is
  'The day that an expired event or one from the future belongs to; null for any other reason, and in rows of version 0.1.0 before this column.';
