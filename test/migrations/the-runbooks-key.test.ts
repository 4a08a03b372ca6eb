import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())

test('a key with the moment of processing in it refuses nothing: an event is marked at every delivery', async () => {
  await db.database.query('create schema runbook')
  await db.database.query(
    `create table runbook.processed_events (
       consumer_group text not null,
       event_id text not null,
       processed_at timestamptz not null default now(),
       primary key (consumer_group, event_id, processed_at)
     ) partition by range (processed_at)`,
  )
  // One partition for all time, so that not even a midnight lies between the deliveries.
  await db.database.query(
    `create table runbook.processed_events_of_all_time
       partition of runbook.processed_events for values from (minvalue) to (maxvalue)`,
  )
  const mark = () =>
    db.database.query(
      `insert into runbook.processed_events (consumer_group, event_id) values ('ledger-writer', 'evt-42')
       on conflict do nothing`,
    )
  assert.equal((await mark()).rowCount, 1)
  assert.equal((await mark()).rowCount, 1, 'the effect would be applied again')
  assert.equal(await countOf('runbook.processed_events'), 2)
})

test('a key with the day of the record in it refuses the second delivery, whenever it comes', async () => {
  const mark = (suffix: string) =>
    db.database.query(
      `insert into daymark.processed_events
         (consumer_group, event_id, marker_day, topic, partition, "offset", processed_at)
       values ('ledger-writer', 'evt-42', (now() at time zone 'UTC')::date, 'payments', 3, 0, now() + $1::interval)
       ${suffix}`,
      ['2 days'],
    )
  assert.equal((await mark('')).rowCount, 1)
  const again = await mark('on conflict (consumer_group, event_id, marker_day) do nothing')
  assert.equal(again.rowCount, 0, 'the effect is not applied again')
  await assert.rejects(mark(''), { code: '23505' })
  assert.equal(await countOf('daymark.processed_events'), 1)
})

async function countOf(table: string): Promise<number> {
  const { rows } = await db.database.query<{ count: number }>(
    `select count(*)::integer as count from ${table} where event_id = 'evt-42'`,
  )
  return rows[0]?.count ?? 0
}
