import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from './test-database.ts'

test('a test database is a clone of the migrated template', async () => {
  await using clone = await createTestDatabase()
  const { rows } = await clone.database.query<{ partitions: string }>(
    `select count(*) as partitions from pg_inherits where inhparent = 'daymark.processed_events'::regclass`,
  )
  assert.equal(rows[0]?.partitions, '9')
})
