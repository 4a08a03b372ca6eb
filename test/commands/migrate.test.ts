import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { runDaymark } from '../support/daymark-process.ts'
import { createTestDatabase } from '../support/test-database.ts'

const MIGRATIONS = readdirSync(new URL('../../migrations', import.meta.url)).filter((name) =>
  name.endsWith('.sql'),
)

/** A database that daymark has never seen, and what a process needs to reach it. */
async function createBareDatabase() {
  const db = await createTestDatabase('template1')
  return {
    db,
    variables: { DATABASE_URL: db.settings.url ?? '' },
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  }
}

test('two migrations at once both succeed: one does the work, the other finds nothing to do', async () => {
  await using bare = await createBareDatabase()
  const ended = await Promise.all([
    runDaymark(['migrate'], bare.variables),
    runDaymark(['migrate'], bare.variables),
  ])
  assert.deepEqual(
    ended.map(({ exitCode }) => exitCode),
    [0, 0],
  )
  const lines = ended.flatMap(({ stderr }) => stderr.trimEnd().split('\n')).sort()
  const ran = MIGRATIONS.map((name) => `ran ${name.replace('.sql', '')}`).sort()
  assert.deepEqual(
    lines.filter((line) => line.startsWith('ran ')),
    ran,
  )
  assert.equal(lines.filter((line) => line.endsWith('is up to date: nothing to do')).length, 1)
})

test('migrating again changes nothing and says so', async () => {
  await using bare = await createBareDatabase()
  assert.equal((await runDaymark(['migrate'], bare.variables)).exitCode, 0)
  const again = await runDaymark(['migrate'], bare.variables)
  assert.deepEqual([again.exitCode, again.stdout], [0, ''])
  assert.match(again.stderr, /^schema daymark at .+ is up to date: nothing to do\n$/)
})

test('an insert works right after the migration, before any worker has run', async () => {
  await using bare = await createBareDatabase()
  assert.equal((await runDaymark(['migrate', '--schema', 'other'], bare.variables)).exitCode, 0)
  const { rowCount } = await bare.db.database.query(
    `insert into other.processed_events (consumer_group, event_id, marker_day, topic, partition, "offset")
     values ('g', 'evt-42', (now() at time zone 'UTC')::date, 't', 0, 0)`,
  )
  assert.equal(rowCount, 1)
})

test('the printed SQL does the same by hand, and daymark migrate goes on from there', async () => {
  await using bare = await createBareDatabase()
  const printed = await runDaymark(['migrate', '--print-sql'], bare.variables)
  assert.deepEqual([printed.exitCode, printed.stderr], [0, ''])
  const session = await bare.db.connect()
  await session.query(printed.stdout)
  const early = await runDaymark(['maintain', '--http-port', '0', '--log-level', 'silent'], {
    ...bare.variables,
    DAYMARK_MAINTENANCE_RETENTION: '8 days',
  })
  assert.equal(early.exitCode, 2)
  assert.match(early.stderr, /schema 'daymark_pgboss' has none\. Run `daymark migrate` first\.\n$/)
  const after = await runDaymark(['migrate'], bare.variables)
  assert.deepEqual([after.exitCode, after.stderr], [0, 'made schema daymark_pgboss for pg-boss\n'])
})

test('every other command on a database that was never migrated says what to run', async () => {
  await using bare = await createBareDatabase()
  const variables = { ...bare.variables, DAYMARK_MAINTENANCE_RETENTION: '8 days', DAYMARK_HTTP_PORT: '0' }
  for (const command of ['plan', 'apply', 'status', 'maintain']) {
    const ended = await runDaymark([command, '--log-level', 'silent'], variables)
    assert.deepEqual([ended.exitCode, ended.stdout], [2, ''], command)
    assert.match(ended.stderr, /schema 'daymark' has none\. Run `daymark migrate` first\.\n$/, command)
  }
})
