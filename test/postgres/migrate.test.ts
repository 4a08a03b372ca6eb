import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { migrateSchema } from '../../src/postgres/migrate.ts'
import { dumpCatalogue } from '../support/catalogue.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase } from '../support/test-database.ts'

const MIGRATIONS = readdirSync(new URL('../../migrations', import.meta.url))
  .sort()
  .map((file) => file.replace(/\.sql$/, ''))

test('an empty database has every migration after the first run, and an insert works at once', async () => {
  await using db = await createTestDatabase('template0')
  assert.deepEqual(await migrateSchema(db.settings), MIGRATIONS)
  const { rowCount } = await db.database.query(
    `insert into daymark.processed_events (consumer_group, event_id, marker_day, topic, partition, "offset")
     select 'g', 'e', (now() at time zone 'UTC')::date + n, 't', 0, n
       from generate_series(-1, 7) as n`,
  )
  assert.equal(rowCount, 9)
})

test('running it again changes nothing', async () => {
  await using db = await createTestDatabase('template0')
  await migrateSchema(db.settings)
  const before = await dumpCatalogue(db.database, 'daymark')
  assert.ok(before.length > 100)
  assert.deepEqual(await migrateSchema(db.settings), [])
  assert.deepEqual(await dumpCatalogue(db.database, 'daymark'), before)
})

test('nothing is made outside of its schema', async () => {
  await using db = await createTestDatabase('template0')
  await migrateSchema(db.settings)
  assert.deepEqual(await dumpCatalogue(db.database, 'public'), [])
})

test('of two at once one waits, and then finds nothing to do', async () => {
  await using db = await createTestDatabase('template0')
  await using obstacle = await db.connect()
  await obstacle.query('begin')
  // Holds up whichever of both is first, at its first step.
  await obstacle.query('create schema daymark')
  const both = Promise.all([migrateSchema(db.settings), migrateSchema(db.settings)])
  await eventually('one to wait for the lock of the other', async () => {
    const { rows } = await db.database.query(
      `select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows.length === 1
  })
  await obstacle.query('rollback')
  assert.deepEqual(
    (await both).toSorted((a, b) => a.length - b.length),
    [[], MIGRATIONS],
  )
})

test('a migration that fails leaves the ones before it, and the next run goes on from there', async () => {
  await using db = await createTestDatabase('template0')
  await db.database.query('create schema daymark')
  await db.database.query('create table daymark.dead_letters (in_the_way boolean)')
  await assert.rejects(migrateSchema(db.settings), { code: '42P07' })
  await db.database.query('drop table daymark.dead_letters')
  assert.deepEqual(await migrateSchema(db.settings), MIGRATIONS.slice(3))
})

test('two schemas live in one database, each with its own', async () => {
  await using db = await createTestDatabase('template0')
  await migrateSchema(db.settings)
  assert.deepEqual(await migrateSchema({ ...db.settings, schema: 'other' }), MIGRATIONS)
  const [ours, others] = [
    await dumpCatalogue(db.database, 'daymark'),
    await dumpCatalogue(db.database, 'other'),
  ]
  assert.equal(others.length, ours.length)
})
