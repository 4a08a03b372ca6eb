import pg from 'pg'
import type { DatabaseSettings } from './database-settings.ts'
import { schemaWriter } from './in-schema.ts'
import { type Session, sessionOf } from './session.ts'

/** A connection of its own, outside any pool, for work that a session must hold: a lock, a long DDL statement. */
export interface DirectSession extends Session, AsyncDisposable {
  /** Settles when the connection ends, with the error that ended it, or null where it was closed on purpose. */
  readonly closed: Promise<Error | null>
  end(): Promise<void>
}

/**
 * Connects directly. TimeZone and DateStyle are set on the session, so that texts of bounds read the same for every
 * role and server. One statement per query call: several in one text would be a transaction, in which nothing
 * concurrent can run (25001).
 */
export async function openDirectSession(settings: DatabaseSettings): Promise<DirectSession> {
  const client = new pg.Client({
    ...(settings.url === undefined ? {} : { connectionString: settings.url }),
    application_name: settings.applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  let broken: Error | null = null
  const closed = new Promise<Error | null>((resolve) => {
    client.on('error', (error) => {
      broken = error
      resolve(error)
    })
    client.on('end', () => resolve(broken))
  })
  await client.connect()
  const end = async (): Promise<void> => {
    // Ending a connection that is already gone fails; gone is what was asked for.
    await client.end().catch(() => undefined)
  }
  const session: DirectSession = {
    ...sessionOf(client, schemaWriter(settings.schema), (error) => {
      broken = error
    }),
    closed,
    end,
    [Symbol.asyncDispose]: end,
  }
  await session.query(`set timezone = 'UTC'`)
  await session.query(`set datestyle = 'ISO, YMD'`)
  return session
}
