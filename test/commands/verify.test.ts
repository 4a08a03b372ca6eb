import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runDaymark } from '../support/daymark-process.ts'
import { createLedger } from '../support/test-consumer.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const BY_DAY = `select event_id, (booked_at at time zone 'UTC')::date as day from ledger_entries`

let db: TestDatabase

before(async () => {
  db = await createTestDatabase()
  await createLedger(db.database)
})

after(() => db[Symbol.asyncDispose]())

async function verify(...args: string[]) {
  return runDaymark(['verify', '--group', 'ledger-writer', ...args], { DATABASE_URL: db.settings.url ?? '' })
}

/** Today's noon as text, so that markers and entries are of one day. */
async function noonOf(): Promise<string> {
  const { rows } = await db.database.query<{ noon: string }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') || 'T12:00:00Z' as noon`,
  )
  return rows[0]?.noon ?? ''
}

async function mark(eventId: string, offset: number, noon: string, overlap = false): Promise<void> {
  await db.database.query(
    `insert into daymark.processed_events (consumer_group, event_id, marker_day, topic, partition, "offset", overlap)
     values ('ledger-writer', $1::text, ($3::timestamptz at time zone 'UTC')::date, 'payments', 0, $2::bigint, $4::boolean)`,
    [eventId, offset, noon, overlap],
  )
}

async function book(eventId: string, noon: string): Promise<void> {
  await db.database.query(
    `insert into ledger_entries (event_id, account, amount_cents, booked_at) values ($1::text, 'a', 1, $2::timestamptz)`,
    [eventId, noon],
  )
}

/**
 * The runbook's first failure: the handler takes a connection of its own, so that marker and effect commit apart. Where
 * the process dies in between, one of both is there, depending on which came first.
 */
async function handleApart(
  eventId: string,
  offset: number,
  noon: string,
  diesAfter: 'marker' | 'effect' | null,
) {
  const first = diesAfter === 'effect' ? book(eventId, noon) : mark(eventId, offset, noon)
  await first
  if (diesAfter !== null) return
  await book(eventId, noon)
}

test('a handler that opens a connection of its own is found out: the ids that differ are named', async () => {
  const noon = await noonOf()
  await handleApart('together', 1, noon, null)
  await handleApart('marker\u001b[2Jonly', 2, noon, 'marker')
  await handleApart('effect-only', 5, noon, 'effect')
  // None of these is a difference: a second marker near midnight, an event that was set aside with its marker.
  await mark('second-marker', 3, noon, true)
  await mark('set-aside', 4, noon)
  await db.database.query(
    `insert into daymark.dead_letters (consumer_group, topic, partition, "offset", record_timestamp, event_id, marker_day, reason, error)
     values ('ledger-writer', 'payments', 0, 4, $1::timestamptz, 'set-aside', ($1::timestamptz at time zone 'UTC')::date, 'handler', 'no')`,
    [noon],
  )
  const text = await verify('--effects', BY_DAY)
  assert.equal(text.exitCode, 3, text.stderr)
  const day = noon.slice(0, 10)
  assert.match(text.stdout, new RegExp(`^${day} +2 +2 +1 +1$`, 'm'))
  assert.match(text.stdout, new RegExp(`^${day} +has no effect +marker\\\\x1b\\[2Jonly$`, 'm'))
  assert.match(text.stdout, new RegExp(`^${day} +has no marker +effect-only$`, 'm'))

  const json = await verify('--json', '--effects', `${BY_DAY};`, '--day', day)
  assert.deepEqual(JSON.parse(json.stdout), {
    schemaVersion: 1,
    group: 'ledger-writer',
    days: [
      {
        day,
        markers: 2,
        effects: 2,
        missing: 1,
        unmarked: 1,
        missingIds: ['marker\u001b[2Jonly'],
        unmarkedIds: ['effect-only'],
      },
    ],
  })
})

test('effects that know no day are looked for by their markers alone, and that is said', async () => {
  const { exitCode, stdout, stderr } = await verify('--effects', 'select event_id from ledger_entries -- all')
  assert.equal(exitCode, 3)
  assert.match(stdout, / 2 +1 +1 +\?$/m)
  assert.match(stderr, /returns no day/)
})

test('once both sides agree, verify ends with 0', async () => {
  const noon = await noonOf()
  await db.database.query(`delete from ledger_entries where event_id = 'effect-only'`)
  await book('marker\u001b[2Jonly', noon)
  const { exitCode, stdout } = await verify('--effects', BY_DAY, '--since', '1 day')
  assert.equal(exitCode, 0, stdout)
})

test('a query that is none of ours to run is refused with what is wrong, and writes nothing', async () => {
  await db.database.query('create sequence drawn')
  for (const [args, message] of [
    [[], /expected --effects/],
    [['--effects', 'select 1 from'], /syntax error/],
    [['--effects', 'select id from ledger_entries'], /"id"|event_id/],
    [
      ['--effects', 'select event_id from ledger_entries; drop table ledger_entries'],
      /more than one statement/,
    ],
    [['--effects', 'delete from ledger_entries returning event_id'], /syntax error/],
    [['--effects', 'select event_id from ledger_entries where event_id = $1'], /parameter such as \$1/],
    [['--effects', `select nextval('drawn')::text as event_id`], /read-only/],
    [['--effects', `select event_id, 'x' as day from ledger_entries`], /invalid input syntax for type date/],
    [['--effects', BY_DAY, '--day', 'yesterday'], /expected --day to be a day/],
    [['--effects', BY_DAY, '--day', '2001-01-01'], /have markers/],
    [['--effects', BY_DAY, '--since', 'soon'], /expected --since/],
    [['--effects', BY_DAY, '--limit', '0'], /expected --limit/],
  ] as const) {
    const { exitCode, stdout, stderr } = await verify(...args)
    assert.deepEqual([exitCode, stdout], [2, ''], `${args.join(' ')}\n${stderr}`)
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /at .*\.ts:/)
  }
  const { rows } = await db.database.query<{ called: boolean }>('select is_called as called from drawn')
  assert.equal(rows[0]?.called, false)
})
