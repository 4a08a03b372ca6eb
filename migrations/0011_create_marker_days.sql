-- The days an event is marked in, for consumers in other languages: the rule that daymark's own consumer goes by.
create function marker_days(event_time timestamptz, within interval default '15 minutes')
  returns table (marker_day date, overlap boolean)
  language plpgsql immutable strict parallel safe
as $$
declare
  -- Without a zone: a day is one of UTC, whatever the session's is.
  utc timestamp := event_time at time zone 'UTC';
begin
  if within not between interval '0' and interval '12 hours' then
    raise exception 'expected an overlap from 0 to 12 hours, got %', within using errcode = 'invalid_parameter_value';
  end if;
  marker_day := utc::date;
  overlap := false;
  return next;
  overlap := true;
  if (utc - within)::date < utc::date then
    marker_day := (utc - within)::date;
    return next;
  elsif (utc + within)::date > utc::date then
    marker_day := (utc + within)::date;
    return next;
  end if;
end
$$;

comment on function marker_days(timestamptz, interval) is
  'The UTC day of an event and, where its time lies within the overlap of a midnight, the day on the other side too.';
