import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDaymark } from '../support/daymark-process.ts'
import { createTestDatabase } from '../support/test-database.ts'

test('maintain on a job queue of another version ends with 2, and says what to run', async () => {
  await using db = await createTestDatabase()
  await db.database.query('update daymark_pgboss.version set version = version - 1')
  const ended = await runDaymark(['maintain', '--log-level', 'silent'], {
    DATABASE_URL: db.settings.url ?? '',
    DAYMARK_MAINTENANCE_RETENTION: '8 days',
    DAYMARK_HTTP_PORT: '0',
  })
  assert.deepEqual([ended.exitCode, ended.stdout], [2, ''])
  assert.match(
    ended.stderr,
    /^daymark: starting the job queue: schema 'daymark_pgboss' is not of the version .* Run `daymark migrate`/,
  )
})
