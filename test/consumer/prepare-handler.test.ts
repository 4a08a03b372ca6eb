import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { prepareHandler } from '../../src/consumer/prepare-handler.ts'
import { createLedger } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())
await createLedger(db.database)
await db.database.query('create table archive (row jsonb, note text)')
await db.database.query('create table input (event_id text)')
await db.database.query('create table accounts (account text primary key, balance bigint not null)')

async function prepare(text: string) {
  const handler = await prepareHandler(db.database, { kind: 'sql', text })
  assert.ok(handler.kind === 'sql')
  return handler
}

const INSERT = `insert into ledger_entries select event_id, 'a', 1, record_timestamp from events`

describe('a statement is fused with the markers where it is', () => {
  const fused = {
    'an INSERT': INSERT,
    'an INSERT with a comment before and after it': `-- what it does; $1\n/* /* ; */ */ ${INSERT}\n-- the end`,
    'an INSERT with semicolons at its end': `${INSERT}; ; \n ;-- the end;`,
    'an INSERT that answers rows': `${INSERT} returning event_id`,
    'an UPDATE': `update ledger_entries l set amount_cents = 0 from events e where e.event_id = l.event_id`,
    'a DELETE': `delete from ledger_entries using events e where ledger_entries.event_id = e.event_id`,
    'a MERGE': `merge into ledger_entries l using events e on l.event_id = e.event_id when matched then delete`,
    'a statement with CTEs of its own': `with own as (select * from events where key > 'a') insert into archive select to_jsonb(own) from own`,
    'a statement with recursive CTEs of its own': `WITH /* deep */ RECURSIVE n (i) as (select 1 union all select i + 1 from n where i < 3)
      insert into archive select to_jsonb(e), n.i::text from events e, n`,
  }
  for (const [name, text] of Object.entries(fused)) {
    test(name, async () => assert.equal((await prepare(text)).isFused, true))
  }
})

describe('a statement runs by itself, after the markers, where it is', () => {
  const separate = {
    'a SELECT, which nobody would read as a part of a larger one':
      'select pg_notify($$payments$$, event_id) from events',
    'a statement whose own CTEs write': `with gone as (delete from ledger_entries l using events e where l.event_id = e.event_id returning l.event_id)
      insert into archive select to_jsonb(gone) from gone`,
    'a SELECT whose own CTEs write': `with booked as (${INSERT} returning event_id) select count(*) from booked`,
  }
  for (const [name, text] of Object.entries(separate)) {
    test(name, async () => assert.equal((await prepare(text)).isFused, false))
  }
})

describe('a mistake is a sentence that says what PostgreSQL says', () => {
  const mistakes: Record<string, [string, RegExp]> = {
    'a table that is not there': [
      'insert into nowhere select from events',
      /"relation "nowhere" does not exist" \(42P01\)/,
    ],
    'a column that events do not have': [
      'insert into archive select payload from events',
      /\(42703\)\. It must be one statement/,
    ],
    'a word that is none': ['isnert into archive values (1)', /syntax error.*\(42601\)/],
    'two statements': [`${INSERT}; ${INSERT}`, /\(42601\)/],
    nothing: ['', /\(42601\)/],
    'nothing but a comment': ['-- to be written', /\(42601\)/],
    'a CTE called events': [
      'with events as (select 1) insert into archive select null from events',
      /\(42712\)/,
    ],
    'a string that never ends': [`insert into archive select null, 'a from events`, /\(42601\)/],
    'a type that does not fit': [
      'insert into ledger_entries (event_id, amount_cents) select event_id, key from events',
      /\(42804\)/,
    ],
    'a parameter of its own': [
      `${INSERT} where key = $1 or key = $2`,
      /it contains \$1, \$2, and nobody gives a parameter a value/,
    ],
    'a parameter beyond the ones that daymark uses': [`${INSERT} where key = $99`, /it contains \$99/],
    'a statement that ends the transaction': ['commit', /\(42601\)/],
  }
  for (const [name, [text, message]] of Object.entries(mistakes)) {
    test(name, () => assert.rejects(prepare(text), { name: 'ConsumerStartError', message }))
  }
})

describe('what only looks like a mistake is none', () => {
  const fine = {
    'a string with a parameter in it': `${INSERT} where key = 'costs $1'`,
    'a string that contains a semicolon': `${INSERT} where key = ';'`,
    'a string at the very end that contains two dashes': `${INSERT} where key <> 'a -- b'`,
    'a string at the very end that looks like a comment': `${INSERT} where key <> '/* b */'`,
    'a string that begins a WITH': `${INSERT} where key = 'with a as (insert'`,
    'a dollar string with all of these': `${INSERT} where key = $q$ ; -- $1 with /* $q$`,
    'a quoted name': `${INSERT} where exists (select from (select 1 as "a;--$1") q where q."a;--$1" = 1)`,
    'a table called like a part of the larger statement':
      'insert into input select event_id from events where event_id not in (select event_id from input)',
  }
  for (const [name, text] of Object.entries(fine)) {
    test(name, async () => assert.equal((await prepare(text)).isFused, true))
  }
})

describe('key and headers are sent where the statement reads them', () => {
  const all = { key: true, headers: true }
  const none = { key: false, headers: false }
  const statements: Record<string, [string, typeof all]> = {
    'by name': [`insert into archive select headers, key from events`, all],
    'one of them': [`insert into archive select null, key from events`, { key: true, headers: false }],
    'by a star': ['insert into archive select to_jsonb(q) from (select * from events) q', all],
    'as a whole row': ['insert into archive select to_jsonb(e) from events e', all],
    'as a whole row of an aggregate': ['insert into archive select jsonb_agg(e) from events e', all],
    'in a condition': [`${INSERT} where headers ? 'trace'`, { key: false, headers: true }],
    'in a subquery': [
      `${INSERT} e where exists (select from input i where i.event_id = e.key)`,
      { key: true, headers: false },
    ],
    'twice, through a CTE': [
      'with own as (select * from events), other as (select * from events) insert into archive select to_jsonb(own) from own join other using (event_id)',
      all,
    ],
    'in a MERGE, whose plan does not say': [
      `merge into archive a using events e on a.note = e.event_id when not matched then insert values (e.headers, e.key)`,
      all,
    ],
    'in what is returned': [
      `delete from input i using events e where i.event_id = e.event_id returning e.key`,
      { key: true, headers: false },
    ],
    'on a conflict': [`${INSERT} on conflict (event_id) do update set account = excluded.account`, none],
    'not at all': [INSERT, none],
    'only in a string': [`insert into archive select null, 'key and headers' from events`, none],
  }
  for (const [name, [text, expected]] of Object.entries(statements)) {
    test(name, async () => assert.deepEqual((await prepare(text)).statement.reads, expected))
  }
})

test('a handler in code is ready as it is', async () => {
  const handler = { kind: 'batch', apply: async () => undefined } as const
  assert.equal(await prepareHandler(db.database, handler), handler)
})

describe('an UPDATE is warned of that would apply only one of several events for one row', () => {
  const FROM_EVENTS = `update accounts a set balance = balance + (e.value ->> 'amountCents')::bigint from events e`
  const warned = {
    'events joined as they are': `${FROM_EVENTS} where a.account = e.value ->> 'account'`,
    'by way of a CTE that does not aggregate': `with own as materialized (select value ->> 'account' as account from events)
      update accounts a set balance = balance + 1 from own where own.account = a.account`,
    'inside of a CTE': `with moved as (${FROM_EVENTS} where a.account = e.value ->> 'account' returning a.account)
      insert into archive select to_jsonb(moved) from moved`,
  }
  for (const [name, text] of Object.entries(warned)) {
    test(name, async () =>
      assert.match((await prepare(text)).warning ?? '', /updates accounts from .*Aggregate them/),
    )
  }

  const left = {
    'where they are aggregated first': `update accounts a set balance = balance + s.sum
      from (select value ->> 'account' as account, sum((value ->> 'amountCents')::bigint) as sum from events group by 1) s
     where s.account = a.account`,
    'where a CTE aggregates them': `with s as materialized (select value ->> 'account' as account, count(*) as n from events group by 1)
      update accounts a set balance = balance + s.n from s where s.account = a.account`,
    'where one of them is chosen for each row': `update accounts a set balance = 0
      from (select distinct on (value ->> 'account') value ->> 'account' as account from events order by 1, "offset" desc) s
     where s.account = a.account`,
    'where each meets the row of its own id': `update ledger_entries l set amount_cents = 0 from events e where e.event_id = l.event_id`,
    'where it only asks whether there is one': `update accounts a set balance = 0
      where exists (select from events e where e.value ->> 'account' = a.account)`,
    'where a subquery adds them up': `update accounts a set balance =
      (select count(*) from events e where e.value ->> 'account' = a.account)`,
    'and an INSERT': INSERT,
  }
  for (const [name, text] of Object.entries(left)) {
    test(`not ${name}`, async () => assert.equal((await prepare(text)).warning, null))
  }
})
