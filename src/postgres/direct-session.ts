import pg from 'pg'
import type { Session } from './database.ts'
import type { DatabaseSettings } from './database-settings.ts'
import { DEFAULT_SCHEMA } from './database-settings.ts'
import { identifier } from './identifier.ts'
import type { Answer } from './queryable.ts'

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
  const name = `${identifier(settings.schema)}.`
  const inSchema = (text: string): string =>
    settings.schema === DEFAULT_SCHEMA ? text : text.replaceAll(/\bdaymark\./g, () => name)
  const end = async (): Promise<void> => {
    // Ending a connection that is already gone fails; gone is what was asked for.
    await client.end().catch(() => undefined)
  }
  const session: DirectSession = {
    pid: (client as unknown as { processID: number }).processID,
    closed,
    query: <Row>(text: string, values?: readonly unknown[]) =>
      client.query(inSchema(text), values as unknown[]) as unknown as Promise<Answer<Row>>,
    discard: (error) => {
      broken = error
    },
    destroy: (error) => {
      broken = error
      ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    },
    end,
    [Symbol.asyncDispose]: end,
  }
  await session.query(`set timezone = 'UTC'`)
  await session.query(`set datestyle = 'ISO, YMD'`)
  return session
}
