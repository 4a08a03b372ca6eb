import type { Queryable } from '../../src/postgres/queryable.ts'

/**
 * A clock of one database that a test sets. The statements that ask for the time find these functions before PostgreSQL's
 * own, in every session that connects from then on.
 */
export type DatabaseClock = {
  /** The clock says this from now on, and goes on from there. */
  set(nowMs: number): Promise<void>
  advance(byMs: number): Promise<void>
}

/** Gives a database such a clock; it agrees with the server's until it is set. */
export async function giveClock(db: Queryable): Promise<DatabaseClock> {
  await db.query('create schema clock')
  await db.query('create table clock.shift (by interval not null)')
  await db.query(`insert into clock.shift values ('0')`)
  for (const name of ['clock_timestamp', 'now']) {
    await db.query(
      `create function clock.${name}() returns timestamptz language sql volatile
       as 'select pg_catalog.${name}() + by from clock.shift'`,
    )
  }
  await db.query(
    `do $$ begin execute format('alter database %I set search_path = clock, pg_catalog, public', current_database()); end $$`,
  )
  // A function that fixes its own search path finds the clock only where that path has it; the first schema stays first.
  await db.query(
    `do $$
     declare f record;
     begin
       for f in select oid::regprocedure as signature, pronamespace::regnamespace as schema from pg_proc
                 where pronamespace::regnamespace::text not in ('clock', 'pg_catalog') and proconfig::text like '%search_path=%'
       loop execute format('alter function %s set search_path = %s, clock, pg_catalog', f.signature, f.schema); end loop;
     end $$`,
  )
  return {
    async set(nowMs) {
      await db.query(
        'update clock.shift set by = to_timestamp($1::double precision / 1000) - pg_catalog.clock_timestamp()',
        [nowMs],
      )
    },
    async advance(byMs) {
      await db.query('update clock.shift set by = by + $1::double precision * interval $$1 ms$$', [byMs])
    },
  }
}
