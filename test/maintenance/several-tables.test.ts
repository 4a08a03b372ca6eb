import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysThrough } from '../../src/calendar/period.ts'
import { type Policy, RUN_KINDS, tableOf } from '../../src/maintenance/policy.ts'
import { identifier, qualified } from '../../src/postgres/identifier.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { daysOf, OWN_RETENTION, runOnce, todayOf } from './maintenance-bench.ts'

/** Makes a table partitioned by a column of some type, with one old day and one row in it. */
async function makeTable(
  db: TestDatabase,
  given: { readonly schema?: string; readonly table: string; readonly type: string },
): Promise<{ policy: Policy; oldDay: string; name: string }> {
  const { schema = 'public', table, type } = given
  const name = qualified(schema, table)
  const oldDay = addDays(await todayOf(db.database), -12)
  const leaf = qualified(schema, table === 'oldest' ? 'its oldest' : 'old day')
  await db.database.query(`create schema if not exists ${identifier(schema)}`)
  await db.database.query(`create table ${name} (id bigint, "At" ${type} not null) partition by range ("At")`)
  const zone = type === 'timestamptz' ? ' 00:00+00' : ''
  await db.database.query(
    `create table ${leaf} partition of ${name} for values from ('${oldDay}${zone}') to ('${addDays(oldDay, 1)}${zone}')`,
  )
  await db.database.query(`insert into ${name} values (1, '${oldDay}${type === 'date' ? '' : ' 12:00Z'}')`)
  return { policy: { ...OWN_RETENTION, schema, table, runwayDays: 2 }, oldDay, name }
}

for (const given of [
  { table: 'by_date', type: 'date' },
  { table: 'by_instant', type: 'timestamptz' },
  { table: 'by_local', type: 'timestamp' },
  { schema: 'My.Schema', table: 'Mixed.Case "quoted"', type: 'timestamptz' },
  { schema: 'größe', table: 'ä'.repeat(26), type: 'date' },
]) {
  const named = tableOf({ schema: 'public', ...given })
  test(`days are made ahead and removed in time for ${named} by ${given.type}, also from a session far from UTC`, async () => {
    await using db = await createTestDatabase()
    await db.database.query(
      `do $$ begin execute format('alter database %I set timezone = ''Asia/Kathmandu''', current_database()); end $$`,
    )
    const { policy, name } = await makeTable(db, given)
    const today = await todayOf(db.database)
    const made = await runOnce(db, 'make', policy)
    assert.equal(made.outcome, 'done', JSON.stringify(made))
    const removed = await runOnce(db, 'remove', policy)
    assert.deepEqual(
      removed.steps.map(({ outcome, error }) => [outcome, error]),
      daysThrough(addDays(today, -12), addDays(today, -9)).map(() => ['done', null]),
    )
    assert.deepEqual(await daysOf(db.database, name), daysThrough(addDays(today, -8), addDays(today, 2)))
    const again = [await runOnce(db, 'make', policy), await runOnce(db, 'remove', policy)]
    assert.deepEqual(
      again.map(({ outcome, steps }) => [outcome, steps.length]),
      [
        ['already', 0],
        ['already', 0],
      ],
    )
  })
}

test('a foreign key from the table is named, and nothing is removed; days are made all the same', async () => {
  await using db = await createTestDatabase()
  await db.database.query('create table public.accounts (id bigint primary key)')
  await db.database.query('insert into public.accounts values (1)')
  const { policy } = await makeTable(db, { table: 'entries', type: 'date' })
  await db.database.query(
    'alter table public.entries add constraint entries_have_an_account foreign key (id) references public.accounts (id)',
  )
  assert.equal((await runOnce(db, 'make', policy)).outcome, 'done')
  const removed = await runOnce(db, 'remove', policy)
  assert.equal(removed.outcome, 'refused')
  assert.match(
    removed.steps[0]?.step.reason ?? '',
    /table public\.entries has the foreign key entries_have_an_account to (public\.)?accounts.+Drop the foreign key/,
  )
})

test('partitions with other bounds are named: those over a day that is missing, and those past their retention', async () => {
  await using db = await createTestDatabase()
  const { policy, oldDay, name } = await makeTable(db, { table: 'odd', type: 'timestamptz' })
  const today = await todayOf(db.database)
  await db.database.query(
    `create table public.half_a_day partition of ${name} for values from ('${addDays(today, 1)} 12:00Z') to ('${addDays(today, 2)} 00:00Z')`,
  )
  await db.database.query(
    `create table public.two_days partition of ${name} for values from ('${addDays(oldDay, -2)} 00:00Z') to ('${oldDay} 00:00Z')`,
  )
  const made = await runOnce(db, 'make', policy)
  assert.match(
    made.steps.find(({ outcome }) => outcome === 'refused')?.step.reason ?? '',
    /partition half_a_day holds a part of \S+, not all of it: give it bounds at UTC midnight/,
  )
  const removed = await runOnce(db, 'remove', policy)
  assert.match(
    removed.steps.find(({ outcome }) => outcome === 'kept')?.step.reason ?? '',
    /keep two_days: its retention is over, but it is not one UTC day; drop it by hand/,
  )
})

/** What is wrong with a table, and what is said of it. */
const BROKEN: Readonly<
  Record<string, { readonly make: (name: string, today: string) => string; readonly said: RegExp }>
> = {
  wrong_type: {
    make: () => 'create table public.wrong_type (day integer) partition by range (day)',
    said: /table public\.wrong_type is partitioned by day of type integer: expected date, timestamp or timestamptz/,
  },
  nowhere: { make: () => 'select', said: /table public\.nowhere does not exist/ },
  with_default: {
    make: (name, today) =>
      `${parent(name)}; create table public."the rest" partition of ${name} default; insert into ${name} values (1, '${today}'), (2, '${today}')`,
    said: /table public\.with_default has a default partition, "public"\."the rest", with 2 rows: .+docs\/operations\.md/,
  },
  referenced: {
    make: (name) =>
      `${parent(name)}; alter table ${name} add primary key (id, at);
       create table public.refers (i bigint, a date, constraint refers_to_it foreign key (i, a) references ${name} (id, at))`,
    said: /table public\.referenced is referenced by refers_to_it of (public\.)?refers/,
  },
  with_view: {
    make: (name, today) =>
      `${parent(name)}; create table public.seen partition of ${name} for values from ('${addDays(today, -12)}') to ('${addDays(today, -11)}');
       create view public.sees as select * from public.seen`,
    said: /dropping public\.seen: view (public\.)?sees depends on it\. Drop that first; daymark never cascades/,
  },
}

function parent(name: string): string {
  return `create table ${name} (id bigint, at date) partition by range (at)`
}

test('a table that is broken is told of by name, keeps no other from its runs, and one not named is never looked at', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  const marked = await daysOf(db.database)
  const healthy = await makeTable(db, { table: 'healthy', type: 'date' })
  for (const [table, { make }] of Object.entries(BROKEN)) {
    for (const statement of make(qualified('public', table), today).split('; '))
      await db.database.query(statement)
  }
  for (const [table, { said }] of Object.entries(BROKEN)) {
    const policy = { ...healthy.policy, table }
    await runOnce(db, 'make', policy)
    const report = await runOnce(db, 'remove', policy)
    assert.equal(report.outcome, 'refused', table)
    assert.match(report.steps.map(({ step, error }) => `${step.reason} ${error ?? ''}`).join('\n'), said)
  }
  const outcomes: string[] = []
  for (const kind of RUN_KINDS) outcomes.push((await runOnce(db, kind, healthy.policy)).outcome)
  assert.deepEqual(outcomes, ['done', 'done'])
  assert.deepEqual(await daysOf(db.database), marked)
})
