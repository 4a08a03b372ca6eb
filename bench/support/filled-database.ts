import { addDays, daysThrough } from '../../src/calendar/period.ts'
import { identifier } from '../../src/postgres/identifier.ts'
import type { Queryable } from '../../src/postgres/queryable.ts'
import { RUNBOOK_TABLE } from '../cases/runbook-table.ts'
import { checkpoint, createBenchDatabase, onDatabase } from './bench-database.ts'
import { maintainedDays, partitionOf } from './maintained-days.ts'

type Server = { urlOf(database: string): string }

/** How markers are kept: by day, as daymark does, or in the one table of the runbook's first step. */
export type MarkerTable = 'partitioned' | 'unpartitioned'

/** Ids as long as a UUID, in the order in which they are made, as UUIDv7 are. */
const EVENT_ID = `lpad(n::text, 36, '0')`

/** Gives the name of a database in which the old day has so many markers: made when it is first asked for. */
export function filledDatabases(server: Server): (table: MarkerTable, rows: number) => Promise<string> {
  const made = new Set<string>()
  return async (table, rows) => {
    const name = `${table}_${rows}`
    if (made.has(name)) return name
    const url = await createBenchDatabase(server, name)
    await onDatabase(url, (db) => (table === 'partitioned' ? fillDay(db, rows) : fillTable(db, rows)))
    made.add(name)
    return name
  }
}

/** A copy of a database, made by copying its files; removed when disposed. */
export async function cloneDatabase(
  server: Server,
  template: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const name = `${template}_clone`
  const run = (statement: string): Promise<unknown> =>
    onDatabase(server.urlOf('postgres'), (db) => db.query(statement))
  await run(`create database ${identifier(name)} template ${identifier(template)} strategy file_copy`)
  await checkpoint(server.urlOf(name))
  return {
    url: server.urlOf(name),
    async [Symbol.asyncDispose]() {
      await run(`drop database ${identifier(name)} with (force)`)
    },
  }
}

/** A table that has been maintained for long: its fence stands at the day before the old one. */
async function fillDay(db: Queryable, rows: number): Promise<void> {
  const { today, old } = await maintainedDays(db)
  // The migrations make days from yesterday on.
  for (const day of daysThrough(old, addDays(today, -2))) {
    await db.query(
      `create table daymark.${partitionOf(day)} partition of daymark.processed_events
         for values from ('${day}') to ('${addDays(day, 1)}')`,
    )
  }
  await db.query(
    `insert into daymark.maintained_tables (schema_name, table_name, dropped_through)
     values ('daymark', 'processed_events', $1::date)`,
    [addDays(old, -1)],
  )
  await db.query(
    `insert into daymark.${partitionOf(old)} ("offset", marker_day, partition, value_crc32, consumer_group, event_id, topic)
     select n, $1::date, n % 4, n, 'ledger-writer', ${EVENT_ID}, 'payments'
       from generate_series(1, $2::integer) as n`,
    [old, rows],
  )
}

async function fillTable(db: Queryable, rows: number): Promise<void> {
  const { old } = await maintainedDays(db)
  await db.query(RUNBOOK_TABLE)
  await db.query(
    `insert into public.processed_events (consumer_group, event_id, topic, partition, "offset", processed_at)
     select 'ledger-writer', ${EVENT_ID}, 'payments', n % 4, n,
            $1::date + n * interval '1 day' / ($2::integer + 1)
       from generate_series(1, $2::integer) as n`,
    [old, rows],
  )
}
