import { randomBytes } from 'node:crypto'
import { type Database, openDatabase } from '../../src/postgres/database.ts'
import type { DatabaseSettings } from '../../src/postgres/database-settings.ts'
import { type DirectSession, openDirectSession } from '../../src/postgres/direct-session.ts'
import { identifier } from '../../src/postgres/identifier.ts'

/** A database of one test file: cloned from the migrated template, dropped at the end. */
export type TestDatabase = AsyncDisposable & {
  readonly name: string
  readonly settings: DatabaseSettings
  /** A pool as the product opens it. */
  readonly database: Database
  /** One more connection, closed with the database. */
  connect(): Promise<DirectSession>
}

export async function createTestDatabase(template = 'daymark_template'): Promise<TestDatabase> {
  const server = process.env.DAYMARK_TEST_POSTGRES
  if (server === undefined)
    throw new Error('expected the test servers to run: use `npm test`, or its --test-global-setup')
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${identifier(name)} template ${identifier(template)}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const settings = { url: url.href, schema: 'daymark', poolSize: 8, applicationName: 'daymark:test' }
  const database = openDatabase(settings, () => undefined)
  const sessions: DirectSession[] = []
  return {
    name,
    settings,
    database,
    async connect() {
      const session = await openDirectSession({ ...settings, applicationName: 'daymark:test-session' })
      sessions.push(session)
      return session
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(sessions.map((session) => session.end()))
      await database.end()
      await onServer(server, `drop database if exists ${identifier(name)} with (force)`)
    },
  }
}

/** Runs one statement on the test server's own database. */
export async function onServer(url: string, statement: string): Promise<void> {
  await using session = await openDirectSession({
    url,
    schema: 'daymark',
    poolSize: 1,
    applicationName: 'daymark:test',
  })
  await session.query(statement)
}
