-- A group and the fingerprint of its identity settings. Another key for the same record would apply it a second
-- time, so a consumer that comes with other settings is refused at start.
create table consumer_groups (
  consumer_group text collate "C" not null,
  identity_settings jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint consumer_groups_are_known_by_name primary key (consumer_group)
);

comment on column consumer_groups.identity_settings is 'markerDay, eventId and idScope as the group began with them.';
