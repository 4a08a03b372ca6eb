import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { migrateSchema } from '../../src/postgres/migrate.ts'
import type { Queryable } from '../../src/postgres/queryable.ts'
import { createTestDatabase } from '../support/test-database.ts'

const MARK = `insert into daymark.processed_events (consumer_group, event_id, marker_day, topic, partition, "offset")
              values ('g', 'e', (now() at time zone 'UTC')::date, 't', 0, 0)`

/** A name as people choose them, one that has to be quoted, and one that means something to a replacement. */
for (const schema of ['markers', 'Day mark-2.ü', 'a$&b$1']) {
  test(`daymark's statements work in the schema ${schema}`, async () => {
    await using db = await createTestDatabase('template0')
    const settings = { ...db.settings, schema }
    await migrateSchema(settings)
    await using pool = openDatabase(settings, () => undefined)
    await using direct = await openDirectSession(settings)

    await pool.query(MARK)
    await assert.rejects(direct.query(MARK), { code: '23505', schema })
    await assert.rejects(
      pool.withSession((session) => session.query(MARK)),
      { code: '23505', schema },
    )
    await pool.query(`insert into daymark.consumer_progress (consumer_group, topic, partition, next_offset)
                      values ('g', 't', 0, 7)`)
    assert.deepEqual(await locked(direct), [{ nextOffset: '7', fence: null }])
    await direct.query(
      `insert into daymark.maintained_tables (schema_name, table_name, dropped_through)
                        values ($1::text, 'processed_events', '2026-01-31')`,
      [schema],
    )
    assert.deepEqual(await locked(pool), [{ nextOffset: '7', fence: '2026-01-31' }])
  })
}

test('only the schema is put in its place, not what merely ends like it', async () => {
  await using db = await createTestDatabase()
  await using pool = openDatabase({ ...db.settings, schema: 'markers' }, () => undefined)
  const { rows } = await pool.query(
    'select $1::text as given, my_daymark.day from (select 1 as day) my_daymark',
    ['daymark.processed_events'],
  )
  assert.deepEqual(rows, [{ given: 'daymark.processed_events', day: 1 }])
})

async function locked(db: Queryable): Promise<unknown[]> {
  const { rows } = await db.query(
    `select next_offset as "nextOffset", fence from daymark.lock_progress('g', 't', 0, 0, 1000, 1000, 1000)`,
  )
  return rows
}
