import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../src/local/free-port.ts'
import { runDaymark } from '../support/daymark-process.ts'
import { createTestDatabase } from '../support/test-database.ts'

test('a database that refuses is one clear sentence and exit code 2', async () => {
  await using db = await createTestDatabase()
  const wrongPassword = new URL(db.settings.url ?? '')
  wrongPassword.password = 'hunter2'
  const absent = new URL(db.settings.url ?? '')
  absent.pathname = '/absent'
  const closed = new URL(db.settings.url ?? '')
  closed.port = String(await freePort())
  for (const [url, found] of [
    [wrongPassword, /the password was refused\. Correct it in DATABASE_URL or the PG\* variables \(28P01\)/],
    [absent, /there is no such database\. Create it, or name another in DATABASE_URL .+ \(3D000\)/],
    [closed, /nothing listens there\. Start PostgreSQL, or name another place in .+ \(ECONNREFUSED\)/],
  ] as const) {
    const ended = await runDaymark(['status'], { DATABASE_URL: url.href })
    assert.deepEqual([ended.exitCode, ended.stdout], [2, ''])
    assert.match(ended.stderr, found)
    assert.match(ended.stderr, /^daymark: connecting to PostgreSQL at 127\.0\.0\.1:\d+\/\w+: [^\n]+\n$/)
    assert.doesNotMatch(ended.stderr, /hunter2/)
  }
})
