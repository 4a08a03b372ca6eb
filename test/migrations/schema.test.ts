import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())

test('the first runway is yesterday, today and seven days more, named as in the runbook, one UTC day each', async () => {
  const { rows } = await db.database.query(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
       from pg_inherits i
       join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'daymark.processed_events'::regclass
      order by 1`,
  )
  const { rows: expected } = await db.database.query(
    `select 'processed_events_' || to_char(day, 'YYYY_MM_DD') as name,
            format('FOR VALUES FROM (%L) TO (%L)', day, day + 1) as bounds
       from (select min(marker_day) as first
               from (select (regexp_match(pg_get_expr(relpartbound, oid), '\\d{4}-\\d\\d-\\d\\d'))[1]::date as marker_day
                       from pg_class where relispartition and relkind = 'r') days) runway,
            lateral (select first + n as day from generate_series(0, 8) as n) d
      order by 1`,
  )
  assert.equal(rows.length, 9)
  assert.deepEqual(rows, expected)
})

test('the runway holds the present moment, whatever the time zone of the session', async () => {
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await using session = await db.connect()
    await session.query(`set timezone = '${zone}'`)
    await session.query(
      `insert into daymark.processed_events (consumer_group, event_id, marker_day, topic, partition, "offset")
       values ($1::text, 'e', (now() at time zone 'UTC')::date, 't', 0, 0)`,
      [zone],
    )
  }
})

test('there is no default partition, no foreign key of the markers and no index but the key', async () => {
  const { rows } = await db.database.query(
    `select (select count(*)::integer from pg_partitioned_table where partrelid = t.oid and partdefid <> 0) as defaults,
            (select count(*)::integer from pg_constraint where conrelid = t.oid and contype = 'f') as "foreignKeys",
            (select count(*)::integer from pg_index where indrelid = t.oid) as indexes
       from (select 'daymark.processed_events'::regclass as oid) t`,
  )
  assert.deepEqual(rows, [{ defaults: 0, foreignKeys: 0, indexes: 1 }])
})

test('every constraint and index has a name that says what it is for', async () => {
  // Not null has no name that anybody is shown; `migrations` is of node-pg-migrate.
  const { rows } = await db.database.query<{ name: string }>(
    `select conname as name
       from pg_constraint k
       join pg_class c on c.oid = k.conrelid
      where c.relnamespace = 'daymark'::regnamespace and not c.relispartition
            and k.contype <> 'n' and c.relname <> 'migrations'
      union
     select c.relname
       from pg_index i
       join pg_class c on c.oid = i.indexrelid
       join pg_class t on t.oid = i.indrelid
      where t.relnamespace = 'daymark'::regnamespace and not t.relispartition and t.relname <> 'migrations'`,
  )
  assert.ok(rows.length > 15)
  const clipped = rows.filter(({ name }) => Buffer.byteLength(name) >= 63)
  const short = rows.filter(
    ({ name }) => name.split('_').length < 3 || /_(?:pkey|key|check|fkey|idx)$/.test(name),
  )
  assert.deepEqual([clipped, short], [[], []])
})

test('the markers of one event stand once per group and day', async () => {
  await using session = await db.connect()
  const mark = (group: string, event: string) =>
    session.query(
      `insert into daymark.processed_events (consumer_group, event_id, marker_day, topic, partition, "offset")
       values ($1::text, $2::text, (now() at time zone 'UTC')::date, 't', 0, 0)`,
      [group, event],
    )
  await mark('ledger', 'evt-1')
  await mark('audit', 'evt-1')
  await mark('ledger', 'EVT-1')
  await assert.rejects(mark('ledger', 'evt-1'), (error: Error & { code?: string; constraint?: string }) => {
    assert.equal(error.code, '23505')
    // A partition's copy of the key has a name of its own; the parent is what the message is about.
    assert.match(error.constraint ?? '', /^processed_events_/)
    return true
  })
})

for (const [bytes, isKept] of [
  [0, false],
  [1, true],
  [505, true],
  [506, false],
] as const) {
  test(`an id of ${bytes} bytes is ${isKept ? 'kept' : 'refused'}`, async () => {
    const insert = db.database.query(
      `insert into daymark.processed_events (consumer_group, event_id, marker_day, topic, partition, "offset")
       values ('sizes', $1::text, (now() at time zone 'UTC')::date, 't', 0, 0)`,
      ['x'.repeat(bytes)],
    )
    if (isKept) await insert
    else
      await assert.rejects(insert, {
        code: '23514',
        constraint: 'processed_events_have_an_id_of_1_to_505_bytes',
      })
  })
}

test('a record is a dead letter once, and one of a recreated topic is another', async () => {
  const set = (at: string) =>
    db.database.query(
      `insert into daymark.dead_letters (consumer_group, topic, partition, "offset", record_timestamp, reason, error)
       values ('g', 't', 0, 7, $1::timestamptz, 'bad-id', 'none')
       on conflict (consumer_group, topic, partition, "offset", record_timestamp) do nothing`,
      [at],
    )
  assert.equal((await set('2026-01-01T00:00:00Z')).rowCount, 1)
  assert.equal((await set('2026-01-01T00:00:00Z')).rowCount, 0)
  assert.equal((await set('2026-02-01T00:00:00Z')).rowCount, 1)
})

test('progress that is behind what was seen, or missing, is refused by a code of its own', async () => {
  await db.database.query(
    `insert into daymark.consumer_progress (consumer_group, topic, partition, next_offset) values ('g', 't', 0, 7)`,
  )
  const lock = (partition: number, seen: number) =>
    db.database.query(
      `select next_offset as "nextOffset" from daymark.lock_progress('g', 't', $1::integer, $2::bigint, 1000, 1000, 1000)`,
      [partition, seen],
    )
  assert.deepEqual((await lock(0, 7)).rows, [{ nextOffset: '7' }])
  await assert.rejects(lock(0, 8), { code: 'DM001' })
  await assert.rejects(lock(1, 0), { code: 'DM002' })
})

test('the limits of a batch end with its transaction', async () => {
  await using session = await db.connect()
  const limits = async () => {
    const { rows } = await session.query<{ limits: string }>(
      `select concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
                        current_setting('idle_in_transaction_session_timeout')) as limits`,
    )
    return rows[0]?.limits
  }
  const before = await limits()
  await db.database.query(
    `insert into daymark.consumer_progress (consumer_group, topic, partition, next_offset) values ('limits', 't', 0, 0)`,
  )
  await session.query('begin')
  await session.query(`select from daymark.lock_progress('limits', 't', 0, 0, 1111, 2222, 3333)`)
  assert.equal(await limits(), '1111ms 2222ms 3333ms')
  await session.query('commit')
  assert.equal(await limits(), before)
})
