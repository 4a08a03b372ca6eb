import pg from 'pg'
import type { DatabaseSettings } from './database-settings.ts'
import { schemaWriter } from './in-schema.ts'
import type { Answer, Queryable } from './queryable.ts'
import { type Session, sessionOf } from './session.ts'

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
    return await use(sessionOf(client, inSchema, hear))
  } finally {
    client.off('error', hear)
    client.release(broken ?? false)
  }
}

/** `host:port/database` of a connection string or of the PG* variables; never the password. */
export function addressOf(url: string | undefined): string {
  const parameters = new pg.Client(url === undefined ? {} : { connectionString: url })
  return `${parameters.host}:${parameters.port}/${parameters.database ?? ''}`
}
