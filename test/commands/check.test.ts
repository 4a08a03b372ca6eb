import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding } from '../../src/commands/check/finding.ts'
import { freePort } from '../../src/local/free-port.ts'
import { makeOldDay, runOnce, todayOf } from '../maintenance/maintenance-bench.ts'
import { nameRoles } from '../support/database-roles.ts'
import { type Ended, runDaymark } from '../support/daymark-process.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createTestTopics } from '../support/test-topic.ts'

const RETENTION = { DAYMARK_MAINTENANCE_RETENTION: '8 days' }

/** A marker table that a worker has looked after. */
async function createMaintainedDatabase(): Promise<TestDatabase> {
  const db = await createTestDatabase()
  await runOnce(db, 'make')
  await runOnce(db, 'remove')
  return db
}

function checkOf(db: TestDatabase, more: Readonly<Record<string, string>> = RETENTION): Promise<Ended> {
  return runDaymark(['check', '--json'], { DATABASE_URL: db.settings.url ?? '', ...more })
}

/** What somebody should act on, as `check: found`. */
function complaintsOf({ stdout }: Ended): string[] {
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  return findings.filter(({ ok }) => !ok).map(({ check, found }) => `${check}: ${found}`)
}

test('a table that is well looked after ends with 0, with a line for each thing that was looked at', async () => {
  await using db = await createMaintainedDatabase()
  const ended = await runDaymark(['check'], { DATABASE_URL: db.settings.url ?? '', ...RETENTION })
  assert.deepEqual([ended.exitCode, ended.stderr], [0, ''], ended.stdout)
  for (const line of [
    /^ok {2}runway +daymark\.processed_events: 7 d ahead have a partition$/m,
    /^ok {2}retention +daymark\.processed_events: days are kept for 8 d /m,
    /^ok {2}role +daymark\.processed_events: the role may make, detach and drop days$/m,
    /^ok {2}probe +daymark\.processed_events: an event of \S+ can be marked as role postgres$/m,
  ])
    assert.match(ended.stdout, line)
})

test('a database that was never migrated needs attention; one that does not answer cannot be checked', async () => {
  await using db = await createTestDatabase('template1')
  const ended = await checkOf(db)
  assert.equal(ended.exitCode, 3)
  assert.deepEqual(complaintsOf(ended), ["migration: daymark's tables are missing, or of an earlier version"])
  const away = await runDaymark(['check'], {
    DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/none`,
    ...RETENTION,
  })
  assert.equal(away.exitCode, 2)
  assert.match(away.stderr, /nothing listens there/)
})

test("pg-boss's tables of the version before are found", async () => {
  await using db = await createMaintainedDatabase()
  await db.database.query('update daymark_pgboss.version set version = version - 1')
  const ended = await checkOf(db)
  assert.equal(ended.exitCode, 3)
  assert.match(complaintsOf(ended).join(), /^migration: .*'daymark_pgboss' is not of the version/)
})

test('no runs so far, a pending detach, dead letters and lost records are each a sentence', async () => {
  await using db = await createTestDatabase()
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select from daymark.processed_events')
  const name = `processed_events_${(await todayOf(db.database)).replaceAll('-', '_')}`
  const detacher = await db.connect()
  const detach = detacher.query(
    `alter table daymark.processed_events detach partition daymark.${name} concurrently`,
  )
  // It is cut off while it waits: that is what is looked for.
  detach.catch(() => undefined)
  await eventually('a detach to be pending', async () => {
    const { rows } = await db.database.query('select from pg_inherits where inhdetachpending')
    return rows.length === 1
  })
  await db.database.query('select pg_terminate_backend($1::integer)', [detacher.pid])
  await db.database.query(
    `insert into daymark.consumer_progress (consumer_group, topic, partition, next_offset, lost_records)
     values ('ledger', 'payments', 3, 42, 7)`,
  )
  await db.database.query(
    `insert into daymark.dead_letters (consumer_group, topic, partition, "offset", record_timestamp, reason, error)
     values ('ledger', 'payments', 3, 1, '2026-08-01T12:00:00Z', 'bad-id', 'the record has no id')`,
  )
  const ended = await checkOf(db)
  assert.equal(ended.exitCode, 3)
  const complaints = complaintsOf(ended)
  for (const complaint of [
    'runway: there is no partition for today',
    'fence: no run has written a fence yet',
    'detach: a detach was begun and not finished',
    'runs: no run has ended so far in which days were made as wanted',
    'runs: no run has ended so far in which days were removed as wanted',
    'lost-records: 7 of payments[3] were deleted by the broker before they were read',
    'dead-letters: 1 waits, set aside as bad-id',
  ])
    assert.ok(complaints.includes(complaint), `${complaint} in ${complaints.join('\n')}`)
})

test('a retention that a topic outlasts, and a broker that does not answer, are found', async () => {
  await using db = await createMaintainedDatabase()
  await using topics = await createTestTopics()
  const topic = await topics.create(1, { 'retention.ms': String(30 * 86_400_000) })
  const kafka = { ...RETENTION, KAFKA_TOPICS: topic, KAFKA_BROKERS: topics.kafka.brokers.join(',') }
  const short = await checkOf(db, kafka)
  assert.equal(short.exitCode, 3)
  assert.match(complaintsOf(short).join('\n'), /^retention: the retention of 8 d is shorter than the 33 d /m)
  const away = await checkOf(db, { ...kafka, KAFKA_BROKERS: `127.0.0.1:${await freePort()}` })
  assert.equal(away.exitCode, 3)
  assert.match(complaintsOf(away).join('\n'), /^topic: the broker could not be asked/m)
})

test("a worker's role that is not the owner is told the exact grant, by check and by maintain at its start", async () => {
  await using db = await createMaintainedDatabase()
  const roles = nameRoles(db)
  for (const name of [roles.migrator, roles.worker, roles.consumer])
    await db.database.query(`create role ${name} login`)
  await roles.setPasswords()
  try {
    const url = roles.settingsOf(roles.worker).url ?? ''
    const grant = new RegExp(`grant "postgres" to "${roles.worker}"`)
    const variables = { ...RETENTION, DATABASE_URL: url, DAYMARK_HTTP_PORT: '0' }
    const stranger = await runDaymark(['maintain'], variables)
    assert.equal(stranger.exitCode, 2)
    assert.match(stranger.stderr, /the role may not look into the schema.*--print-grants.*\(42501\)/)
    await db.database.query(`grant usage on schema daymark, daymark_pgboss to ${roles.worker}`)
    const maintained = await runDaymark(['maintain'], variables)
    assert.equal(maintained.exitCode, 2)
    assert.match(maintained.stderr, grant)
    await db.database.query(`grant select on all tables in schema daymark, daymark_pgboss to ${roles.worker}`)
    const checked = await checkOf(db, { ...RETENTION, MAINTENANCE_DATABASE_URL: url })
    assert.equal(checked.exitCode, 3)
    assert.match(complaintsOf(checked).join('\n'), grant)
  } finally {
    await roles[Symbol.asyncDispose]()
  }
})

test('a day that a person must look at is told with its reason', async () => {
  await using db = await createMaintainedDatabase()
  await makeOldDay(db.database, '2020-01-01')
  await db.database.query('create table daymark.the_rest partition of daymark.processed_events default')
  const ended = await checkOf(db)
  assert.equal(ended.exitCode, 3)
  assert.match(
    complaintsOf(ended).join('\n'),
    /^plan: table daymark\.processed_events has a default partition/m,
  )
})
