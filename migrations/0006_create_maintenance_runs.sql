-- What the worker did: a row per step, kept for 90 days.
create table maintenance_runs (
  id bigint generated always as identity,
  run_id uuid not null,
  trigger text not null,
  kind text not null,
  schema_name text collate "C" not null,
  table_name text collate "C" not null,
  step text not null,
  partition_name text collate "C",
  from_day date,
  until_day date,
  outcome text not null,
  reason text not null,
  waited_ms double precision not null default 0,
  took_ms double precision not null default 0,
  blocker jsonb,
  error text,
  sqlstate text,
  recorded_at timestamptz not null default now(),
  constraint maintenance_runs_are_known_by_id primary key (id),
  constraint maintenance_runs_are_of_a_known_kind check (kind in ('make', 'remove')),
  constraint maintenance_runs_end_in_a_known_outcome
    check (outcome in ('done', 'already', 'contended', 'waiting', 'kept', 'refused', 'failed', 'locked'))
);

create index maintenance_runs_by_time on maintenance_runs (recorded_at);
create index maintenance_runs_by_run on maintenance_runs (run_id);

comment on column maintenance_runs.blocker is
  'Who held the step up: an array of {pid, user, application, state, ageMs, queryStartedAt}.';
