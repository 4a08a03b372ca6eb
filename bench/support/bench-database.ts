import { readFileSync } from 'node:fs'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { identifier } from '../../src/postgres/identifier.ts'
import { migrateSchema } from '../../src/postgres/migrate.ts'
import type { Queryable } from '../../src/postgres/queryable.ts'
import { settingsOf } from './database-settings-of.ts'

const LEDGER = new URL('../../examples/payments/ledger_entries.sql', import.meta.url)

/** Runs statements on a connection of its own. */
export async function onDatabase<Result>(
  url: string,
  work: (db: Queryable) => Promise<Result>,
): Promise<Result> {
  await using session = await openDirectSession(settingsOf(url, 1))
  return await work(session)
}

/** Makes a database with daymark's tables and the ledger of the payments example. */
export async function createBenchDatabase(
  server: { urlOf(database: string): string },
  name: string,
): Promise<string> {
  await onDatabase(server.urlOf('postgres'), (db) => db.query(`create database ${identifier(name)}`))
  const url = server.urlOf(name)
  await migrateSchema(settingsOf(url, 1))
  await onDatabase(url, (db) => db.query(readFileSync(LEDGER, 'utf8')))
  return url
}

/** Writes out what is dirty, so that no case pays for the one before it. */
export async function checkpoint(url: string): Promise<void> {
  await onDatabase(url, (db) => db.query('checkpoint'))
}

/** The settings that a reader of the figures asks for, in one line. */
export async function describeServer(url: string): Promise<string> {
  const { rows } = await onDatabase(url, (db) =>
    db.query<{ line: string }>(
      `select 'PostgreSQL ' || current_setting('server_version') || ' (' ||
              string_agg(name || '=' || current_setting(name), ', ' order by name) || ')' as line
         from unnest('{fsync,full_page_writes,max_wal_size,shared_buffers,synchronous_commit}'::text[]) as n (name)`,
    ),
  )
  return rows[0]?.line ?? ''
}
