import { addDays, type Day, dayOf } from '../../src/calendar/period.ts'
import { maintain } from '../../src/maintenance/maintain.ts'
import { silentObserver } from '../../src/maintenance/maintenance-observer.ts'
import type { MaintenanceParts } from '../../src/maintenance/maintenance-parts.ts'
import { DEFAULT_POLICY, type Policy, type RunKind } from '../../src/maintenance/policy.ts'
import type { Run, RunReport } from '../../src/maintenance/run.ts'
import { readClock } from '../../src/maintenance/sql/read-clock.ts'
import type { Queryable } from '../../src/postgres/queryable.ts'
import { silentLog } from '../../src/process/log.ts'
import type { TestDatabase } from '../support/test-database.ts'

const DAY_MS = 86_400_000

/** A marker table with a retention of its own and no topic: what is tested of it needs no broker. */
export const OWN_RETENTION: Policy = { ...DEFAULT_POLICY, retention: { kind: 'given', ms: 8 * DAY_MS } }

export function partsOf(db: TestDatabase, kafka: MaintenanceParts['kafka'] = null): MaintenanceParts {
  const direct = { ...db.settings, poolSize: 1, applicationName: 'daymark:maintain' }
  return { direct, kafka, log: silentLog, observer: silentObserver }
}

/** One run to its end. */
export function runOnce(
  db: TestDatabase,
  kind: RunKind,
  policy: Policy = OWN_RETENTION,
  run: Partial<Run> = {},
  kafka: MaintenanceParts['kafka'] = null,
): Promise<RunReport> {
  return maintain(partsOf(db, kafka), policy, {
    kind,
    trigger: 'command',
    signal: new AbortController().signal,
    ...run,
  })
}

/** The database's today. */
export async function todayOf(db: Queryable): Promise<Day> {
  const today = dayOf(await readClock(db))
  if (today === null) throw new Error('expected the database to know the day')
  return today
}

/** The days that have a partition, pending ones included. */
export async function daysOf(db: Queryable, table = 'daymark.processed_events'): Promise<Day[]> {
  const { rows } = await db.query<{ day: Day }>(
    `select substring(pg_get_expr(c.relpartbound, c.oid) from $$FROM \\('(\\d{4}-\\d\\d-\\d\\d)$$) as day
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = $1::regclass
      order by 1`,
    [table],
  )
  return rows.map(({ day }) => day)
}

/** Attaches an old day by hand, with a marker in it, as a run of that time would have made it. */
export async function makeOldDay(db: Queryable, day: Day): Promise<string> {
  const name = `processed_events_${day.replaceAll('-', '_')}`
  await db.query(
    `create table daymark.${name} partition of daymark.processed_events for values from ('${day}') to ('${addDays(day, 1)}')`,
  )
  await insertMarker(db, day, `event-of-${day}`)
  return name
}

export async function insertMarker(db: Queryable, day: Day, eventId: string): Promise<void> {
  await db.query(
    `insert into daymark.processed_events ("offset", marker_day, partition, consumer_group, event_id, topic)
     values (1, $1::date, 0, 'group', $2::text, 'payments')`,
    [day, eventId],
  )
}

/** Puts the fence where a table stands that has been maintained for long. */
export async function setFence(db: Queryable, day: Day, table = 'processed_events'): Promise<void> {
  await db.query(
    `insert into daymark.maintained_tables (schema_name, table_name, dropped_through)
     values ('daymark', $2::text, $1::date)
     on conflict (schema_name, table_name) do update set dropped_through = excluded.dropped_through`,
    [day, table],
  )
}

/** The outcomes of a run by step and day. */
export function outcomesOf(report: RunReport): string[] {
  return report.steps.map(
    ({ step, outcome, error }) => `${step.kind} ${step.fromDay ?? ''} ${outcome}${error ? `: ${error}` : ''}`,
  )
}
