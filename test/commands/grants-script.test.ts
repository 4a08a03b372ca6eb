import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '../../src/calendar/period.ts'
import { maintain } from '../../src/maintenance/maintain.ts'
import { silentObserver } from '../../src/maintenance/maintenance-observer.ts'
import type { RunKind } from '../../src/maintenance/policy.ts'
import type { RunReport } from '../../src/maintenance/run.ts'
import { openRunRequests } from '../../src/maintenance/run-request.ts'
import { startWorker } from '../../src/maintenance/worker.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { silentLog } from '../../src/process/log.ts'
import {
  daysOf,
  makeOldDay,
  OWN_RETENTION,
  outcomesOf,
  setFence,
  todayOf,
} from '../maintenance/maintenance-bench.ts'
import { type DatabaseRoles, nameRoles } from '../support/database-roles.ts'
import { runDaymark } from '../support/daymark-process.ts'
import { eventually } from '../support/eventually.ts'
import { eventIds, payment } from '../support/payments.ts'
import { createLedger, ledgerEffect, startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createTestTopics } from '../support/test-topic.ts'

let db: TestDatabase
let roles: DatabaseRoles

/** The way of an administrator: the first part, `daymark migrate` as the migrator, the second part as the migrator. */
before(async () => {
  db = await createTestDatabase('template1')
  roles = nameRoles(db)
  const printed = await runDaymark(['migrate', '--print-grants'], { DATABASE_URL: db.settings.url ?? '' })
  assert.deepEqual([printed.exitCode, printed.stderr], [0, ''])
  const [first = '', second = ''] = roles.rename(printed.stdout).split('-- 2.')
  const superuser = await db.connect()
  await superuser.query(first)
  await roles.setPasswords()
  const url = roles.settingsOf(roles.migrator).url ?? ''
  const migrated = await runDaymark(['migrate'], { DATABASE_URL: url })
  assert.equal(migrated.exitCode, 0, migrated.stderr)
  await using migrator = openDatabase(roles.settingsOf(roles.migrator), () => undefined)
  await migrator.withSession((session) => session.query(`--${second}`))
})

after(async () => {
  await roles[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

function runAsWorker(kind: RunKind): Promise<RunReport> {
  const direct = { ...roles.settingsOf(roles.worker), applicationName: 'daymark:maintain' }
  const parts = { direct, kafka: null, log: silentLog, observer: silentObserver }
  const run = { kind, trigger: 'command', signal: new AbortController().signal } as const
  return maintain(parts, { ...OWN_RETENTION, runwayDays: 9 }, run)
}

test('the migrator owns all that it made, and nobody has rights on the database', async () => {
  const { rows } = await db.database.query<{ owner: string; mayCreate: boolean }>(
    `select distinct pg_get_userbyid(c.relowner) as owner,
            has_database_privilege(pg_get_userbyid(c.relowner), current_database(), 'create') as "mayCreate"
       from pg_class c
      where c.relnamespace in ('daymark'::regnamespace, 'daymark_pgboss'::regnamespace)`,
  )
  assert.deepEqual(rows, [{ owner: roles.migrator, mayCreate: false }])
})

test('the worker makes days that the migrator owns, and detaches and drops old ones', async () => {
  const today = await todayOf(db.database)
  const old = addDays(today, -9)
  await setFence(db.database, addDays(old, -1))
  const name = await makeOldDay(db.database, old)
  await db.database.query(`alter table daymark.${name} owner to ${roles.migrator}`)
  const made = await runAsWorker('make')
  assert.equal(made.outcome, 'done', outcomesOf(made).join('\n'))
  const removed = await runAsWorker('remove')
  assert.equal(removed.outcome, 'done', outcomesOf(removed).join('\n'))
  const { rows } = await db.database.query<{ owner: string }>(
    `select distinct pg_get_userbyid(c.relowner) as owner
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'daymark.processed_events'::regclass`,
  )
  assert.deepEqual(rows, [{ owner: roles.migrator }])
  assert.ok(!(await daysOf(db.database)).includes(old))
})

test('the worker works the queue, and serves the request of a consumer', async () => {
  const direct = { ...roles.settingsOf(roles.worker), poolSize: 1, applicationName: 'daymark:maintain' }
  const parts = { direct, kafka: null, log: silentLog, observer: silentObserver }
  const worker = await startWorker(parts, [{ ...OWN_RETENTION, runwayDays: 9 }])
  try {
    const tomorrow = addDays(await todayOf(db.database), 1)
    await db.database.query(`drop table daymark.processed_events_${tomorrow.replaceAll('-', '_')}`)
    await using requests = await openRunRequests(roles.settingsOf(roles.consumer))
    await requests.request('daymark.processed_events')
    await eventually('tomorrow to be there', async () => (await daysOf(db.database)).includes(tomorrow))
  } finally {
    await worker.stop()
  }
})

test('the consumer consumes, sets aside, and cannot move the fence, drop a day or settle a dead letter', async () => {
  await createLedger(db.database)
  await db.database.query(`grant insert, select on ledger_entries to ${roles.consumer}`)
  await using pool = openDatabase(roles.settingsOf(roles.consumer), () => undefined)
  await using topics = await createTestTopics()
  const topic = await topics.create(1)
  const ids = eventIds('least', 20)
  await topics.producer.send(
    topic,
    [...ids, ...ids.slice(0, 5), ''].map((id) => payment(id, { timestampMs: Date.now() })),
  )
  await using consumer = await startTestConsumer({
    settings: testSettings({ topics: [topic] }),
    handler: ledgerEffect,
    database: pool,
    kafka: topics.kafka,
  })
  await eventually('the end of the topic', () => consumer.snapshot().partitions[0]?.nextOffset === '26')
  const { rows } = await db.database.query<{ dead: number }>(
    'select count(*)::integer as dead from daymark.dead_letters',
  )
  assert.deepEqual(rows, [{ dead: 1 }])
  const tomorrow = addDays(await todayOf(db.database), 1).replaceAll('-', '_')
  for (const statement of [
    `update daymark.maintained_tables set dropped_through = '2000-01-01'`,
    `drop table daymark.processed_events_${tomorrow}`,
    'delete from daymark.dead_letters',
    'delete from daymark.consumer_progress',
    'create table daymark.mine ()',
  ]) {
    await assert.rejects(pool.query(statement), { code: '42501' }, statement)
  }
})
