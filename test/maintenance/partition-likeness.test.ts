import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { addDays } from '../../src/calendar/period.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { outcomesOf, runOnce, todayOf } from './maintenance-bench.ts'
import { bothHave, make, ownTable } from './own-table.ts'

async function serverVersion(db: TestDatabase): Promise<number> {
  const { rows } = await db.database.query<{ version: number }>(
    `select current_setting('server_version_num')::integer as version`,
  )
  return rows[0]?.version ?? 0
}

test('a partition has the owner and the grants of its table, column grants and grant options too', async () => {
  await using db = await createTestDatabase()
  const [owner, reader] = [
    `owner_${randomBytes(4).toString('hex')}`,
    `reader_${randomBytes(4).toString('hex')}`,
  ]
  const policy = await ownTable(db, '(id text, note text, day date) partition by range (day)')
  try {
    for (const statement of [
      `create role ${owner}`,
      `create role ${reader}`,
      `grant create on schema public to ${owner}`,
      `alter table public.seen owner to ${owner}`,
      `grant select, insert on public.seen to ${reader} with grant option`,
      `grant update (note) on public.seen to ${reader}`,
      // The right to maintain a table came with PostgreSQL 17.
      ...((await serverVersion(db)) < 170_000 ? [] : [`grant maintain on public.seen to ${reader}`]),
      'grant select on public.seen to public',
    ]) {
      await db.database.query(statement)
    }
    await make(db, policy)
    await bothHave(db, policy, 'pg_get_userbyid(c.relowner)')
    await bothHave(db, policy, '(select array_agg(a::text order by a::text) from unnest(c.relacl) a)')
    await bothHave(
      db,
      policy,
      `(select array_agg(attacl::text order by attname) from pg_attribute where attrelid = c.oid and attacl is not null)`,
    )
  } finally {
    await db.database.query('drop table public.seen')
    for (const role of [owner, reader]) {
      await db.database.query(`drop owned by ${role}`)
      await db.database.query(`drop role ${role}`)
    }
  }
})

test('a partition has the row security of its table: flags and policies', async () => {
  await using db = await createTestDatabase()
  const policy = await ownTable(db, '(id text, tenant text, day date) partition by range (day)')
  for (const statement of [
    'alter table public.seen enable row level security',
    'alter table public.seen force row level security',
    `create policy "of one's own" on public.seen as restrictive for update to public using (tenant = current_user) with check (tenant <> '')`,
    'create policy readable on public.seen for select using (true)',
  ]) {
    await db.database.query(statement)
  }
  await make(db, policy)
  await bothHave(db, policy, 'array[c.relrowsecurity, c.relforcerowsecurity]')
  await bothHave(
    db,
    policy,
    `(select array_agg(array[polname, polcmd::text, polpermissive::text, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)] order by polname)
        from pg_policy where polrelid = c.oid)`,
  )
})

test('a partition has the replica identity of its table, also by an index', async () => {
  for (const identity of ['full', 'nothing', 'using index seen_once']) {
    await using db = await createTestDatabase()
    const policy = await ownTable(db, '(id text not null, day date not null) partition by range (day)')
    await db.database.query('create unique index seen_once on public.seen (id, day)')
    await db.database.query(`alter table public.seen replica identity ${identity}`)
    await make(db, policy)
    await bothHave(db, policy, 'c.relreplident')
  }
})

test('a partition has the indexes, checks, defaults and generated columns of its table, and gets its identity numbers', async () => {
  await using db = await createTestDatabase()
  const policy = await ownTable(
    db,
    `(n bigint generated always as identity, id text not null check (id <> ''), day date not null, at timestamptz default now(),
      twice integer generated always as (length(id) * 2) stored, primary key (id, day)) partition by range (day)`,
  )
  await db.database.query('create index by_time on public.seen (at desc)')
  await make(db, policy)
  await bothHave(db, policy, '(select count(*) from pg_index where indrelid = c.oid)')
  await bothHave(
    db,
    policy,
    `(select array_agg(pg_get_constraintdef(oid) order by pg_get_constraintdef(oid)) from pg_constraint where conrelid = c.oid)`,
  )
  await db.database.query(
    `insert into public.seen (id, day) select 'x' || g, current_date from generate_series(1, 2) g`,
  )
  const { rows } = await db.database.query('select n, twice from public.seen order by n')
  assert.deepEqual(rows, [
    { n: '1', twice: 4 },
    { n: '2', twice: 4 },
  ])
})

test('tables by timestamp and timestamptz have their bounds at midnight UTC, whatever the time zone', async () => {
  for (const type of ['timestamp', 'timestamptz']) {
    await using db = await createTestDatabase()
    const policy = await ownTable(db, `(id text, at ${type} not null) partition by range (at)`)
    await db.database.query(`alter database ${db.name} set timezone = 'America/New_York'`)
    await make(db, policy)
    const today = await todayOf(db.database)
    await using session = await db.connect()
    const { rows } = await session.query<{ bounds: string }>(
      `select pg_get_expr(relpartbound, oid) as bounds from pg_class where relname = $1::text`,
      [`seen_${today.replaceAll('-', '_')}`],
    )
    const zone = type === 'timestamptz' ? '+00' : ''
    assert.equal(
      rows[0]?.bounds,
      `FOR VALUES FROM ('${today} 00:00:00${zone}') TO ('${addDays(today, 1)} 00:00:00${zone}')`,
    )
    assert.equal((await runOnce(db, 'make', policy)).outcome, 'already')
    const removed = await runOnce(db, 'remove', { ...policy, retention: { kind: 'given', ms: 1 } })
    assert.equal(removed.outcome, 'already', outcomesOf(removed).join('\n'))
  }
})

test('days of a table by timestamptz are removed too', async () => {
  await using db = await createTestDatabase()
  const policy = await ownTable(db, '(id text, at timestamptz not null) partition by range (at)')
  const old = addDays(await todayOf(db.database), -10)
  await db.database.query(
    `create table public.seen_old partition of public.seen for values from ('${old} 00:00+00') to ('${addDays(old, 1)} 00:00+00')`,
  )
  await db.database.query(`insert into public.seen values ('x', '${old} 23:59+00')`)
  const report = await runOnce(db, 'remove', policy)
  assert.deepEqual(outcomesOf(report), [`remove-day ${old} done`])
})

test('names with capitals, quotes, dots and letters of two bytes are taken as they are', async () => {
  for (const [schema, table] of [
    ['Ev Store', 'Processed-Events'],
    ['a"b', 'it\'s "so"'],
    ['dotted.name', 'x.y'],
    ['größe', 'ereignisse_für_später'],
  ] as const) {
    await using db = await createTestDatabase()
    await db.database.query(`create schema "${schema.replaceAll('"', '""')}"`)
    const policy = await ownTable(db, '(id text, day date, primary key (id, day)) partition by range (day)', {
      schema,
      table,
    })
    await make(db, policy)
    const removed = await runOnce(db, 'remove', { ...policy, retention: { kind: 'given', ms: 1 } })
    assert.equal(removed.outcome, 'already', outcomesOf(removed).join('\n'))
  }
})

test('a table whose days would have names of more than 63 bytes is refused with the length that fits', async () => {
  await using db = await createTestDatabase()
  const policy = await ownTable(db, '(id text, day date) partition by range (day)', { table: 'ä'.repeat(27) })
  const report = await runOnce(db, 'make', policy)
  assert.equal(report.outcome, 'refused')
  assert.match(report.steps[0]?.step.reason ?? '', /has 65 bytes: rename public\.ä+ to at most 52$/)
})
