import pg from 'pg'
import type { DatabaseSettings } from './database-settings.ts'
import { DEFAULT_SCHEMA } from './database-settings.ts'
import { identifier } from './identifier.ts'
import type { Answer, Queryable } from './queryable.ts'

/** A database as its owner sees it: single statements, sessions for a while, and its end. */
export interface Database extends Queryable, AsyncDisposable {
  readonly schema: string
  /** Where it is, for people: `host:port/database`, never with a password. */
  readonly address: string
  /** Lends a session of the pool. One that failed is thrown away afterwards, never lent again. */
  withSession<Result>(use: (session: Session) => Promise<Result>): Promise<Result>
  /** How the pool stands. */
  connections(): { readonly total: number; readonly idle: number; readonly waiting: number }
  end(): Promise<void>
}

/** One connection. Statements that are not awaited are sent at once, in order (`pg`'s pipeline). */
export interface Session extends Queryable {
  /** The process id of the backend, as `pg_stat_activity` shows it. */
  readonly pid: number
  /** Says that this connection must not be used again, and why. */
  discard(error: Error): void
  /** Cuts the connection now: what is under way on it fails. */
  destroy(error: Error): void
}

/**
 * Opens a pool. Nothing is connected before the first statement. `report` hears of connections that broke while
 * nobody used them; without a listener `pg` would end the process.
 */
export function openDatabase(settings: DatabaseSettings, report: (error: Error) => void): Database {
  const pool = new pg.Pool({
    ...(settings.url === undefined ? {} : { connectionString: settings.url }),
    max: settings.poolSize,
    application_name: settings.applicationName,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
  } as pg.PoolConfig)
  pool.on('error', report)
  const inSchema = schemaWriter(settings.schema)
  let ended: Promise<void> | undefined
  const database: Database = {
    schema: settings.schema,
    address: addressOf(settings.url),
    query: <Row>(text: string, values?: readonly unknown[]) =>
      pool.query(inSchema(text), values as unknown[]) as unknown as Promise<Answer<Row>>,
    withSession: (use) => withSession(pool, inSchema, use),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    end: () => {
      ended ??= pool.end()
      return ended
    },
    [Symbol.asyncDispose]: () => database.end(),
  }
  return database
}

async function withSession<Result>(
  pool: pg.Pool,
  inSchema: (text: string) => string,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  // A checked-out client that loses its connection emits an error of its own; unheard, it would end the process.
  const hear = (error: Error): void => {
    broken ??= error
  }
  client.on('error', hear)
  try {
    return await use({
      pid: (client as unknown as { processID: number }).processID,
      query: <Row>(text: string, values?: readonly unknown[]) =>
        client.query(inSchema(text), values as unknown[]) as unknown as Promise<Answer<Row>>,
      discard: hear,
      destroy: (error) => {
        hear(error)
        ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
      },
    })
  } finally {
    client.off('error', hear)
    client.release(broken ?? false)
  }
}

function schemaWriter(schema: string): (text: string) => string {
  if (schema === DEFAULT_SCHEMA) return (text) => text
  const name = `${identifier(schema)}.`
  return (text) => text.replaceAll(/\bdaymark\./g, () => name)
}

/** `host:port/database` of a connection string or of the PG* variables; never the password. */
export function addressOf(url: string | undefined): string {
  const parameters = new pg.Client(url === undefined ? {} : { connectionString: url })
  return `${parameters.host}:${parameters.port}/${parameters.database ?? ''}`
}
