import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { addDays } from '../../../src/calendar/period.ts'
import { checkConsumerRole } from '../../../src/commands/check/check-consumer-role.ts'
import type { Finding } from '../../../src/commands/check/finding.ts'
import { consumerGrants } from '../../../src/commands/consumer-grants.ts'
import { openDatabase } from '../../../src/postgres/database.ts'
import { qualified } from '../../../src/postgres/identifier.ts'
import { OWN_RETENTION, todayOf } from '../../maintenance/maintenance-bench.ts'
import { type DatabaseRoles, nameRoles } from '../../support/database-roles.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

let db: TestDatabase
let roles: DatabaseRoles

/** The rights of a consumer, given by hand: what is wrong with one of them is what the tests are about. */
before(async () => {
  db = await createTestDatabase()
  roles = nameRoles(db)
  for (const name of [roles.migrator, roles.worker, roles.consumer])
    await db.database.query(`create role ${name} login`)
  await roles.setPasswords()
})

beforeEach(async () => {
  await db.database.query(`grant usage on schema daymark, daymark_pgboss to ${roles.consumer}`)
  for (const { schema, table, privileges } of consumerGrants('daymark'))
    await db.database.query(
      `grant ${privileges.join(', ')} on ${qualified(schema, table)} to ${roles.consumer}`,
    )
})

after(async () => {
  await roles[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

async function findingOf(name: Finding['check'], as: string | null = roles.consumer): Promise<Finding> {
  const findings = await checkConsumerRole(db.database, OWN_RETENTION, as)
  const finding = findings.find(({ check }) => check === name)
  assert.ok(finding)
  return finding
}

test('a role with all its grants can mark an event of tomorrow, and nothing of the try is left', async () => {
  assert.ok((await findingOf('grants')).ok)
  assert.ok((await findingOf('probe')).ok)
  const { rows } = await db.database.query('select from daymark.processed_events')
  assert.equal(rows.length, 0)
})

test('without a role, it is the one of the connection', async () => {
  await using own = openDatabase(roles.settingsOf(roles.consumer), () => undefined)
  const findings = await checkConsumerRole(own, OWN_RETENTION, null)
  assert.deepEqual(
    findings.map(({ ok }) => ok),
    [true, true],
  )
  assert.match(findings[1]?.found ?? '', new RegExp(`as role ${roles.consumer}$`))
})

test('a missing grant is named as the statement that gives it', async () => {
  await db.database.query(`revoke insert, delete on daymark.processed_events from ${roles.consumer}`)
  const grants = await findingOf('grants')
  assert.equal(grants.ok, false)
  assert.equal(grants.advice, `grant insert, delete on "daymark"."processed_events" to "${roles.consumer}";`)
  const probe = await findingOf('probe')
  assert.deepEqual([probe.ok, probe.advice], [false, 'give the role what `grants` names'])
})

test('a schema that the role may not look into is named too', async () => {
  await db.database.query(`revoke usage on schema daymark from ${roles.consumer}`)
  const { ok, advice } = await findingOf('grants')
  assert.deepEqual([ok, advice], [false, `grant usage on schema "daymark" to "${roles.consumer}";`])
  assert.equal((await findingOf('probe')).ok, false)
})

test('row security without a policy for the role is found, although every grant is there', async () => {
  await db.database.query('alter table daymark.processed_events enable row level security')
  try {
    assert.ok((await findingOf('grants')).ok)
    const { ok, advice } = await findingOf('probe')
    assert.equal(ok, false)
    assert.match(advice ?? '', /row security refuses it: give .* a policy/)
    await db.database.query('create policy all_markers on daymark.processed_events using (true)')
    assert.ok((await findingOf('probe')).ok)
  } finally {
    await db.database.query('alter table daymark.processed_events disable row level security')
  }
})

test('a key that is gone is found: without it nothing would be a duplicate', async () => {
  const key = 'processed_events_mark_an_event_once_per_group_and_day'
  await db.database.query(`alter table daymark.processed_events drop constraint ${key}`)
  try {
    const { ok, advice } = await findingOf('probe')
    assert.equal(ok, false)
    assert.match(advice ?? '', /^the key over \(consumer_group, event_id, marker_day\) is missing/)
  } finally {
    await db.database.query(
      `alter table daymark.processed_events add constraint ${key} primary key (consumer_group, event_id, marker_day)`,
    )
  }
})

test('a missing partition of tomorrow is found', async () => {
  const tomorrow = addDays(await todayOf(db.database), 1)
  const name = `daymark.processed_events_${tomorrow.replaceAll('-', '_')}`
  await db.database.query(`alter table daymark.processed_events detach partition ${name}`)
  try {
    const { ok, advice } = await findingOf('probe')
    assert.deepEqual([ok, advice], [false, 'run `daymark apply`, and see why the worker did not'])
  } finally {
    await db.database.query(
      `alter table daymark.processed_events attach partition ${name} for values from ('${tomorrow}') to ('${addDays(tomorrow, 1)}')`,
    )
  }
})

test('a role that does not exist, and one that may not be taken, are said for what they are', async () => {
  const [missing] = await checkConsumerRole(db.database, OWN_RETENTION, 'nobody at all')
  assert.deepEqual([missing?.ok, missing?.found], [false, 'there is no such role'])
  await using stranger = openDatabase(roles.settingsOf(roles.worker), () => undefined)
  await db.database.query(`grant usage on schema daymark to ${roles.worker}`)
  const findings = await checkConsumerRole(stranger, OWN_RETENTION, roles.consumer)
  assert.match(findings[1]?.advice ?? '', /^let the role of MAINTENANCE_DATABASE_URL act as it/)
})
