import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { addDays } from '../../src/calendar/period.ts'
import { maintain } from '../../src/maintenance/maintain.ts'
import type { RunReport } from '../../src/maintenance/run.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import {
  daysOf,
  insertMarker,
  makeOldDay,
  OWN_RETENTION,
  outcomesOf,
  partsOf,
  runOnce,
  setFence,
  todayOf,
} from './maintenance-bench.ts'

async function tableWithOldDay(): Promise<{ db: TestDatabase; today: string; old: string; name: string }> {
  const db = await createTestDatabase()
  const today = await todayOf(db.database)
  const old = addDays(today, -9)
  const name = await makeOldDay(db.database, old)
  await setFence(db.database, addDays(today, -2))
  return { db, today, old, name }
}

function textOf(report: RunReport): string {
  return report.steps.map(({ step, error }) => error ?? step.reason).join('\n')
}

test('a table that does not exist, is not partitioned, or by something else, is refused with what was found', async () => {
  await using db = await createTestDatabase()
  await db.database.query('create table daymark.plain (day date)')
  await db.database.query('create table daymark.by_list (day date) partition by list (day)')
  await db.database.query('create table daymark.by_number (day integer) partition by range (day)')
  await db.database.query(
    `create table daymark.by_expression (at timestamptz) partition by range ((date_bin('1 day', at, timestamptz 'epoch')))`,
  )
  await db.database.query('create table daymark.by_two (day date, id text) partition by range (day, id)')
  for (const [table, found] of [
    ['missing', /daymark\.missing does not exist/],
    ['plain', /daymark\.plain is not partitioned/],
    ['by_list', /not partitioned by range on one column/],
    ['by_number', /partitioned by day of type integer: expected date, timestamp or timestamptz/],
    ['by_expression', /not partitioned by range on one column/],
    ['by_two', /not partitioned by range on one column/],
  ] as const) {
    const report = await runOnce(db, 'make', { ...OWN_RETENTION, table })
    assert.equal(report.outcome, 'refused')
    assert.match(textOf(report), found)
  }
})

test('with a default partition days are made, but removal is refused and never done in the way that stops writers', async () => {
  const { db, today, old } = await tableWithOldDay()
  await using _ = db
  await db.database.query('create table daymark.the_rest partition of daymark.processed_events default')
  await insertMarker(db.database, addDays(today, 9), 'early')
  const made = await runOnce(db, 'make', { ...OWN_RETENTION, runwayDays: 10 })
  assert.deepEqual(
    made.steps.map(({ step, outcome }) => [step.fromDay, outcome]),
    [
      [addDays(today, 8), 'done'],
      [addDays(today, 9), 'refused'],
      [addDays(today, 10), 'done'],
    ],
  )
  assert.match(textOf(made), /the default partition holds rows of that day/)
  const removed = await runOnce(db, 'remove')
  assert.equal(removed.outcome, 'refused')
  assert.match(
    textOf(removed),
    /has a default partition, "daymark"\."the_rest", with 1 row: PostgreSQL cannot detach concurrently/,
  )
  assert.ok((await daysOf(db.database)).includes(old))
})

test('a foreign key to the table is named, and nothing is removed', async () => {
  const { db, old } = await tableWithOldDay()
  await using _ = db
  await db.database.query(
    `create table daymark.refers (g text, e text, d date, constraint refers_to_a_marker foreign key (g, e, d)
       references daymark.processed_events (consumer_group, event_id, marker_day))`,
  )
  const report = await runOnce(db, 'remove')
  assert.equal(report.outcome, 'refused')
  assert.match(textOf(report), /referenced by refers_to_a_marker of daymark\.refers/)
  assert.ok((await daysOf(db.database)).includes(old))
})

test('a view on a day keeps its table, is told of at every run, and stops no other day', async () => {
  const { db, today, old, name } = await tableWithOldDay()
  await using _ = db
  const later = addDays(today, -8)
  await makeOldDay(db.database, later)
  await db.database.query(`create view daymark.of_that_day as select * from daymark.${name}`)
  const policy = { ...OWN_RETENTION, retention: { kind: 'given', ms: 6 * 86_400_000 } } as const
  const first = await runOnce(db, 'remove', policy)
  assert.deepEqual(
    first.steps.map(({ step, outcome }) => [step.fromDay, outcome]),
    [
      [old, 'refused'],
      [later, 'done'],
    ],
  )
  assert.match(
    textOf(first),
    /view daymark\.of_that_day depends on it\. Drop that first; daymark never cascades/,
  )
  assert.equal((await runOnce(db, 'remove', policy)).outcome, 'refused')
  await db.database.query('drop view daymark.of_that_day')
  assert.deepEqual(outcomesOf(await runOnce(db, 'remove', policy)), [`drop-detached ${old} done`])
})

test('a stray table under the name of a day is refused, left alone, and the other days are made', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  await setFence(db.database, addDays(today, -2))
  const name = `processed_events_${addDays(today, 8).replaceAll('-', '_')}`
  await db.database.query(`create table daymark.${name} (of_somebody_else text)`)
  const report = await runOnce(db, 'make', { ...OWN_RETENTION, runwayDays: 9 })
  assert.deepEqual(
    report.steps.map(({ outcome }) => outcome),
    ['refused', 'done'],
  )
  assert.match(textOf(report), new RegExp(`something else is called "daymark"\\."${name}"`))
})

test('a role that is not the owner is told the grant that it needs', async () => {
  await using db = await createTestDatabase()
  const role = `worker_${randomBytes(4).toString('hex')}`
  await db.database.query(`create role ${role} login password 'secret'`)
  try {
    await db.database.query(`grant usage on schema daymark to ${role}`)
    await db.database.query(`grant select, insert, update, delete on all tables in schema daymark to ${role}`)
    const url = new URL(db.settings.url ?? '')
    url.username = role
    url.password = 'secret'
    const parts = partsOf(db)
    const run = { kind: 'make', trigger: 'command', signal: new AbortController().signal } as const
    const report = await maintain(
      { ...parts, direct: { ...parts.direct, url: url.href } },
      OWN_RETENTION,
      run,
    )
    assert.equal(report.outcome, 'refused')
    assert.match(textOf(report), new RegExp(`\`grant "\\w+" to "${role}"\``))
    assert.match(textOf(report), new RegExp(`\`grant create on schema "daymark" to "${role}"\``))
  } finally {
    await db.database.query(`drop owned by ${role}`)
    await db.database.query(`drop role ${role}`)
  }
})
