import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../src/calendar/period.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { todayOf } from './maintenance-bench.ts'
import { bothHave, make, ownTable } from './own-table.ts'

test('a partition has the comments, statistics targets and column options of its table, and is in its publication', async () => {
  await using db = await createTestDatabase()
  const policy = await ownTable(
    db,
    '(id text, note text, day date not null, primary key (id, day)) partition by range (day)',
  )
  for (const statement of [
    `comment on table public.seen is 'it''s "ours"'`,
    `comment on column public.seen.note is 'of the sender'`,
    'alter table public.seen alter column note set statistics 300',
    'alter table public.seen alter column id set statistics 0',
    'alter table public.seen alter column note set (n_distinct = -0.5, n_distinct_inherited = 7)',
    'alter table public.seen alter column note set storage external',
    'create publication changes for table public.seen',
  ]) {
    await db.database.query(statement)
  }
  await make(db, policy)
  await bothHave(db, policy, `obj_description(c.oid, 'pg_class')`)
  for (const fact of ['col_description(attrelid, attnum)', 'attstattarget', 'attoptions', 'attstorage'])
    await bothHave(
      db,
      policy,
      `(select array_agg((${fact})::text order by attname) from pg_attribute where attrelid = c.oid and attnum > 0)`,
    )
  const { rows } = await db.database.query<{ published: string }>(
    `select relid::regclass::text as published from pg_get_publication_tables('changes')`,
  )
  const { rows: partitions } = await db.database.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'public.seen'::regclass`,
  )
  assert.deepEqual(rows.map(({ published }) => published).sort(), partitions.map(({ name }) => name).sort())
})

test('a partition has the storage parameters of the newest partition before it, because its table can have none', async () => {
  await using db = await createTestDatabase()
  const policy = await ownTable(db, '(id text, day date not null) partition by range (day)')
  const today = await todayOf(db.database)
  const layPartition = (days: number, parameters: string): Promise<unknown> =>
    db.database.query(
      `create table public.seen_${days + 9} partition of public.seen
         for values from ('${addDays(today, days)}') to ('${addDays(today, days + 1)}') ${parameters}`,
    )
  await layPartition(-2, 'with (fillfactor = 50)')
  await layPartition(
    -1,
    'with (fillfactor = 90, autovacuum_vacuum_insert_threshold = 5000, toast.autovacuum_enabled = false)',
  )
  await make(db, policy)
  const { rows } = await db.database.query<{ parameters: string[]; toast: string[] | null }>(
    `select c.reloptions as parameters, t.reloptions as toast
       from pg_inherits i join pg_class c on c.oid = i.inhrelid left join pg_class t on t.oid = c.reltoastrelid
      where i.inhparent = 'public.seen'::regclass and c.relname > 'seen_2'
        and c.relname not in ('seen_7', 'seen_8')`,
  )
  assert.ok(rows.length >= 2)
  for (const row of rows)
    assert.deepEqual(row, {
      parameters: ['fillfactor=90', 'autovacuum_vacuum_insert_threshold=5000'],
      toast: ['autovacuum_enabled=false'],
    })
})
