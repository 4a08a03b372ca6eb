import assert from 'node:assert/strict'
import { addDays, daysThrough } from '../../src/calendar/period.ts'
import type { FencedPartition } from '../../src/maintenance/sql/fence-day.ts'
import type { DirectSession } from '../../src/postgres/direct-session.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import {
  daysOf,
  makeOldDay,
  OWN_RETENTION,
  outcomesOf,
  runOnce,
  setFence,
  todayOf,
} from './maintenance-bench.ts'
import { startWorkerProcess } from './start-worker-process.ts'

/** A table with one day that is to be removed, and a second one after it. */
export async function tableWithOldDays(): Promise<{
  db: TestDatabase
  today: string
  older: string
  old: string
}> {
  const db = await createTestDatabase()
  const today = await todayOf(db.database)
  const [older, old] = [addDays(today, -10), addDays(today, -9)]
  await setFence(db.database, addDays(today, -11))
  await makeOldDay(db.database, older)
  await makeOldDay(db.database, old)
  return { db, today, older, old }
}

/** A transaction that has touched the table, and so holds every detach up until it ends. */
export async function openReader(db: TestDatabase): Promise<DirectSession> {
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select count(*) from daymark.processed_events')
  return reader
}

export async function pendingName(db: TestDatabase): Promise<string | null> {
  const { rows } = await db.database.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhdetachpending`,
  )
  return rows[0]?.name ?? null
}

export async function terminate(db: TestDatabase, condition: string): Promise<void> {
  await db.database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
  )
}

/** The end of every case: one more run, and the table is as if nothing had happened. */
export async function assertHealed(db: TestDatabase, today: string): Promise<void> {
  const report = await runOnce(db, 'remove')
  assert.ok(['done', 'already'].includes(report.outcome), outcomesOf(report).join('\n'))
  const days = await daysOf(db.database)
  assert.ok((days[0] ?? '') > addDays(today, -9), `${days[0]} still stands`)
  assert.deepEqual(days, daysThrough(days[0] ?? today, addDays(today, 7)))
  const { rows } = await db.database.query(
    `select (select count(*)::integer from daymark.partitions_to_drop) as notes,
            to_char(dropped_through, 'YYYY-MM-DD') as fence,
            (select array_agg(relname order by relname) from pg_class
              where relname like 'processed\\_events\\_____\\___\\___' and relkind = 'r'
                and oid not in (select inhrelid from pg_inherits)) as left_over
       from daymark.maintained_tables`,
  )
  assert.deepEqual(rows, [{ notes: 0, fence: addDays(today, -9), left_over: null }])
}

export async function fenceOf(db: TestDatabase): Promise<string | undefined> {
  const { rows } = await db.database.query<{ fence: string }>(
    `select to_char(dropped_through, 'YYYY-MM-DD') as fence from daymark.maintained_tables`,
  )
  return rows[0]?.fence
}

export async function targetOf(db: TestDatabase, day: string): Promise<FencedPartition> {
  const name = `processed_events_${day.replaceAll('-', '_')}`
  const { rows } = await db.database.query<{ oid: string }>(`select $1::regclass::oid::text as oid`, [
    `daymark.${name}`,
  ])
  return {
    oid: rows[0]?.oid ?? '',
    schema: 'daymark',
    name,
    fromDay: day,
    untilDay: addDays(day, 1),
    keepUntilMs: null,
  }
}

export async function sleepAt(db: TestDatabase, moment: string): Promise<void> {
  await db.database.query(
    `create function public.sleeps() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$`,
  )
  await db.database.query(`create trigger sleeps ${moment} for each row execute function public.sleeps()`)
}

/** Kills a worker process with signal 9 as soon as one of its backends sleeps in a trigger, then that backend. */
export async function killAsleep(db: TestDatabase): Promise<void> {
  const worker = await startWorkerProcess(db, OWN_RETENTION)
  await eventually('a backend to be at that point', async () => {
    const { rows } = await db.database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
    )
    return rows.length > 0
  })
  await worker[Symbol.asyncDispose]()
  await terminate(db, `wait_event = 'PgSleep'`)
}
