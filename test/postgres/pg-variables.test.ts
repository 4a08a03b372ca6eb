import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addressOf, openDatabase } from '../../src/postgres/database.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { migrateSchema } from '../../src/postgres/migrate.ts'
import { createTestDatabase } from '../support/test-database.ts'

const db = await createTestDatabase('template0')
after(() => db[Symbol.asyncDispose]())

const { hostname, port, username, password } = new URL(db.settings.url ?? '')
Object.assign(process.env, {
  PGHOST: hostname,
  PGPORT: port,
  PGUSER: username,
  PGPASSWORD: password,
  PGDATABASE: db.name,
})
const settings = { ...db.settings, url: undefined }

test('without a connection string the PG* variables say where the database is, as for psql', async () => {
  assert.equal((await migrateSchema(settings)).length > 0, true)
  await using pool = openDatabase(settings, () => undefined)
  await using session = await openDirectSession(settings)
  for (const queryable of [pool, session]) {
    const { rows } = await queryable.query(
      `select current_database() as name, to_regclass('daymark.processed_events') is not null as "isMigrated"`,
    )
    assert.deepEqual(rows, [{ name: db.name, isMigrated: true }])
  }
})

test('their address is told like that of a connection string', () => {
  assert.equal(addressOf(undefined), `${hostname}:${port}/${db.name}`)
  assert.equal(addressOf(db.settings.url), `${hostname}:${port}/${db.name}`)
})
