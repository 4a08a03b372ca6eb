import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findEventMarkers } from '../../src/consumer/sql/find-event-markers.ts'
import { runDaymark } from '../support/daymark-process.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let db: TestDatabase
let today: string

before(async () => {
  db = await createTestDatabase()
  const { rows } = await db.database.query<{ today: string }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today`,
  )
  today = rows[0]?.today ?? ''
  await db.database.query(
    `insert into daymark.consumer_groups (consumer_group, identity_settings) values ('ledger', '{}'), ('mail', '{}')`,
  )
  await db.database.query(
    `insert into daymark.consumer_progress (consumer_group, topic, partition, next_offset) values ('mail', 'orders', 0, 9)`,
  )
  await db.database.query(
    `insert into daymark.processed_events (consumer_group, event_id, marker_day, topic, partition, "offset", overlap)
     values ('ledger', 'evt-1', $1::date, 'payments', 3, 9007199254740993, false),
            ('ledger', 'evt-1', $1::date + 1, 'payments', 3, 9007199254740993, true),
            ('ledger', 'evt-2', $1::date, 'payments', 3, 7, false),
            ('ledger', 'evu', $1::date, 'payments', 3, 8, false),
            ('mail', 'orders/evt-1', $1::date, 'orders', 0, 5, false)`,
    [today],
  )
  await db.database.query(
    `insert into daymark.dead_letters (consumer_group, topic, partition, "offset", record_timestamp, event_id, marker_day, reason, error)
     values ('ledger', 'payments', 3, 7, now(), 'evt-2', $1::date, 'handler', 'no account'),
            ('ledger', 'payments', 3, 9, now(), 'evt-3', null, 'future', 'too early'),
            ('ledger', 'payments', 3, 10, now(), 'evt-1', null, 'id-reused', 'its id was used before')`,
    [today],
  )
})

after(() => db[Symbol.asyncDispose]())

async function explain(...args: string[]) {
  return runDaymark(['explain', ...args], { DATABASE_URL: db.settings.url ?? '' })
}

test('an event that was applied is told with its first delivery, in every group, and its second marker', async () => {
  const { exitCode, stdout } = await explain('evt-1', '--json')
  assert.equal(exitCode, 0)
  const { events, unknown, schemaVersion } = JSON.parse(stdout)
  assert.deepEqual([schemaVersion, unknown], [1, null])
  assert.deepEqual(
    events.map(({ group, eventId, verdict }: Record<string, unknown>) => [group, eventId, verdict]),
    [
      ['ledger', 'evt-1', 'applied'],
      ['mail', 'orders/evt-1', 'applied'],
    ],
  )
  const [first, second] = events[0].markers
  assert.deepEqual([first.offset, first.overlap, second.overlap], ['9007199254740993', false, true])
  assert.equal(events[0].deadLetters[0].reason, 'id-reused')
})

test('an event that was set aside is told with its dead letter, whether it left a marker or none', async () => {
  const kept = await explain('evt-2')
  assert.match(kept.stdout, /^evt-2 in the group "ledger": set aside/)
  assert.match(kept.stdout, /dead letter \d+ +payments\[3\]@7 +handler, waits: no account/)
  const refused = await explain('evt-3')
  assert.match(refused.stdout, /^evt-3 in the group "ledger": refused/)
})

test('a prefix finds all that begin so, and no other', async () => {
  const found = JSON.parse((await explain('evt-', '--prefix', '--json', '--group', 'ledger')).stdout)
  assert.deepEqual(found.events.map(({ eventId }: { eventId: string }) => eventId).sort(), [
    'evt-1',
    'evt-2',
    'evt-3',
  ])
  const cut = await explain('ev', '--prefix', '--limit', '1')
  assert.match(cut.stderr, /there is more than these 1/)
})

test('an event that nobody knows is told with the reason: never seen, or before the fence', async () => {
  assert.match(
    (await explain('evt-99')).stdout,
    /^never seen: no marker and no dead letter has it \(looked at /,
  )
  await db.database.query(
    `insert into daymark.maintained_tables (schema_name, table_name, dropped_through)
     values ('daymark', 'processed_events', $1::date - 2)`,
    [today],
  )
  assert.match((await explain('evt-99')).stdout, /never seen.*so it may have been applied before/)
  // A UUIDv7 of 2023.
  const old = await explain('0187f6b0-0000-7000-8000-000000000000')
  assert.match(old.stdout, /^its id is of 2023-05-\d\d, and markers through .* were dropped/)
})

test('a hostile id is asked and shown as text', async () => {
  const id = `'; drop table x; -- \u001b[31m%_\\`
  await db.database.query(
    `insert into daymark.processed_events (consumer_group, event_id, marker_day, topic, partition, "offset")
     values ('ledger', $1::text, $2::date, 'payments', 0, 1)`,
    [id, today],
  )
  const { exitCode, stdout } = await explain(id)
  assert.equal(exitCode, 0)
  assert.ok(stdout.startsWith(`'; drop table x; -- \\x1b[31m%_\\ in the group "ledger": applied`))
  for (const garbage of ['', 'x'.repeat(506)]) assert.equal((await explain(garbage)).exitCode, 2)
})

test('a look-up locks the partitions of its days, and no other', async () => {
  await using session = await db.connect()
  for (const prefix of [false, true]) {
    await session.query('begin')
    await findEventMarkers(session, {
      groups: ['ledger'],
      eventIds: ['evt-1'],
      prefix,
      days: [today],
      limit: 10,
    })
    const { rows } = await session.query<{ partition: string }>(
      `select c.relname as partition
         from pg_locks l
         join pg_class c on c.oid = l.relation
        where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relname like 'processed_events%'`,
    )
    await session.query('rollback')
    assert.deepEqual(
      rows.map(({ partition }) => partition),
      [`processed_events_${today.replaceAll('-', '_')}`],
    )
  }
})
