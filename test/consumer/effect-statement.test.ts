import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { cutBatches } from '../../src/consumer/cut-batches.ts'
import { prepareHandler } from '../../src/consumer/prepare-handler.ts'
import { recordBatch } from '../../src/consumer/record-batch.ts'
import { setProgress } from '../../src/consumer/sql/set-progress.ts'
import type { KafkaRecord } from '../../src/kafka/kafka-record.ts'
import { testSettings } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { recordOf } from './samples.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())
await db.database.query('create table accounts (account text primary key, balance int not null)')
await db.database.query('create table seen (event_id text, row jsonb)')
await db.database.query(
  `create function book(of_account text, amount int) returns int language sql as
   $$ update accounts set balance = balance + amount where account = of_account returning balance $$`,
)
const { rows } = await db.database.query<{ nowMs: number }>(
  'select extract(epoch from now()) * 1000 as "nowMs"',
)
const timestamp = String(Math.floor(Number(rows[0]?.nowMs)))

beforeEach(async () => {
  await db.database.query('truncate accounts, seen')
  await db.database.query(`insert into accounts values ('acct_7', 100), ('acct_8', 0)`)
})

function eventsOf(...ids: string[]): KafkaRecord[] {
  return ids.map((id, offset) =>
    recordOf({
      offset: String(offset),
      timestamp,
      headers: { 'event-id': Buffer.from(id), trace: Buffer.from(`t-${id}`) },
      value: Buffer.from(JSON.stringify({ amount: 10 + offset })),
    }),
  )
}

/** Records these once with a statement, and once more; answers how many were new in all. */
async function run(text: string, records: readonly KafkaRecord[]): Promise<number> {
  const settings = testSettings({ topics: ['payments'] })
  const handler = await prepareHandler(db.database, { kind: 'sql', text })
  await setProgress(db.database, {
    group: settings.group,
    topic: 'payments',
    partition: 3,
    nextOffset: '0',
    lost: 0,
  })
  const fetched = {
    topic: 'payments',
    partition: 3,
    records,
    lastOffset: records.at(-1)?.offset ?? '0',
    highWatermark: '9',
  }
  let processed = 0
  for (const batch of [...cutBatches(fetched, settings), ...cutBatches(fetched, settings)]) {
    const options = {
      settings,
      handler,
      seenOffset: '0',
      isolating: false,
      reach: () => undefined,
      judge: () => undefined,
    }
    processed += (await db.database.withSession((session) => recordBatch(session, batch, options))).processed
      .length
  }
  return processed
}

async function balances(): Promise<Record<string, number>> {
  const found = await db.database.query<{ account: string; balance: number }>(
    'select * from accounts order by 1',
  )
  return Object.fromEntries(found.rows.map(({ account, balance }) => [account, balance]))
}

const PER_ACCOUNT = `select key as account, sum((value ->> 'amount')::int) as amount from events group by key`

describe('the effect of each event is applied once, though the batch comes twice, by', () => {
  const statements = {
    'an UPDATE of sums': `update accounts a set balance = balance + s.amount from (${PER_ACCOUNT}) s where a.account = s.account`,
    'an UPDATE after a WITH of its own': `with s as (${PER_ACCOUNT}) update accounts a set balance = balance + s.amount from s where a.account = s.account;`,
    'a MERGE': `merge into accounts a using (${PER_ACCOUNT}) s on a.account = s.account
                when matched then update set balance = balance + s.amount`,
    'an INSERT that meets a row': `insert into accounts select s.* from (${PER_ACCOUNT}) s
                on conflict (account) do update set balance = accounts.balance + excluded.balance`,
    'a SELECT of a function with side effects': `select book(key, (value ->> 'amount')::int) from events`,
    'a SELECT over a CTE that writes': `with booked as (update accounts a set balance = balance + s.amount from (${PER_ACCOUNT}) s
                where a.account = s.account returning *) select count(*) from booked -- done`,
  }
  for (const [name, text] of Object.entries(statements)) {
    test(name, async () => {
      assert.equal(await run(text, eventsOf('a', 'b', 'c')), 3)
      assert.deepEqual(await balances(), { acct_7: 100 + 10 + 11 + 12, acct_8: 0 })
    })
  }

  test('a DELETE', async () => {
    await run('delete from accounts using events e where account = e.key', eventsOf('a'))
    assert.deepEqual(await balances(), { acct_8: 0 })
  })
})

for (const name of ['fused', 'by itself']) {
  test(`a statement reads all that an event is, also by a star (${name})`, async () => {
    const insert = 'insert into seen select event_id, to_jsonb(e) from events e'
    await run(
      name === 'fused' ? insert : `with done as (${insert} returning 1) select count(*) from done`,
      eventsOf('a'),
    )
    const seen = await db.database.query<{ row: Record<string, unknown> }>('select row from seen')
    const { record_timestamp: recordTimestamp, ...row } = seen.rows[0]?.row ?? {}
    assert.deepEqual(row, {
      event_id: 'a',
      topic: 'payments',
      partition: 3,
      offset: 0,
      key: 'acct_7',
      value: { amount: 10 },
      headers: { 'event-id': 'a', trace: 't-a' },
    })
    assert.equal(Date.parse(String(recordTimestamp)), Number(timestamp))
  })
}

test('a tombstone and a record without a key are rows with nulls', async () => {
  await run('insert into seen select event_id, to_jsonb(e) from events e', [
    recordOf({ timestamp, key: null, value: null }),
  ])
  const seen = await db.database.query<{ key: null; value: null }>(
    `select row -> 'key' as key, row -> 'value' as value from seen`,
  )
  assert.deepEqual(seen.rows, [{ key: null, value: null }])
})
