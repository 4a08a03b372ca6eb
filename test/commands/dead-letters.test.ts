import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { type Ended, runDaymark } from '../support/daymark-process.ts'
import { createLedger } from '../support/test-consumer.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const EFFECT = fileURLToPath(new URL('../../examples/payments/effect.sql', import.meta.url))
const GROUP = 'ledger-writer'

let db: TestDatabase

before(async () => {
  db = await createTestDatabase()
  await createLedger(db.database)
})

after(() => db[Symbol.asyncDispose]())

async function deadLetters(...args: string[]): Promise<Ended> {
  return runDaymark(['dead-letters', ...args], {
    DATABASE_URL: db.settings.url ?? '',
    KAFKA_BROKERS: 'localhost:1',
    KAFKA_GROUP_ID: GROUP,
    KAFKA_TOPICS: 'payments',
    DAYMARK_CONSUMER_HANDLER: EFFECT,
  })
}

/** Sets an event aside as a consumer would, with its marker where the reason leaves one; returns its id. */
async function setAside(given: {
  readonly offset: number
  readonly reason: string
  readonly eventId?: string | null
  readonly value?: string
  readonly key?: Buffer
  readonly header?: Buffer
}): Promise<string> {
  const { offset, reason, eventId = `evt-${offset}`, value = '{"account":"a","amountCents":1}' } = given
  const isMarked = reason === 'handler' || reason === 'undecodable'
  if (isMarked) {
    await db.database.query(
      `insert into daymark.processed_events
         (consumer_group, event_id, marker_day, topic, partition, "offset", value_crc32)
       values ($1::text, $2::text, (now() at time zone 'UTC')::date, 'payments', 0, $3::bigint,
               $4::integer)`,
      [GROUP, eventId, offset, crcOf(value)],
    )
  }
  const headers = [['event-id', (given.header ?? Buffer.from(eventId ?? '')).toString('base64')]]
  const { rows } = await db.database.query<{ id: string }>(
    `insert into daymark.dead_letters
       (consumer_group, topic, partition, "offset", record_timestamp, event_id, marker_day, key, value, headers, reason, error)
     values ($1::text, 'payments', 0, $2::bigint, now(), $3::text,
             case when $4::boolean then (now() at time zone 'UTC')::date end, $5::bytea, $6::bytea, $7::jsonb, $8::text, 'why it was set aside')
     returning id`,
    [
      GROUP,
      offset,
      eventId,
      isMarked,
      given.key ?? Buffer.from('k'),
      Buffer.from(value),
      JSON.stringify(headers),
      reason,
    ],
  )
  return rows[0]?.id ?? ''
}

function crcOf(value: string): number {
  return crc32(value) | 0
}

async function ledgerHas(eventId: string): Promise<boolean> {
  const { rows } = await db.database.query('select from ledger_entries where event_id = $1::text', [eventId])
  return rows.length === 1
}

test('what hostile records hold is shown as text that cannot move the cursor or turn the reading', async () => {
  const hostile = 'e\u001b[2J\u202egpj\u0007'
  const id = await setAside({
    offset: 100,
    reason: 'id-reused',
    eventId: hostile,
    key: Buffer.from([0xff, 0x1b, 0x41]),
    value: 'line\nbreak\u009b',
  })
  const list = await deadLetters('list')
  const shown = await deadLetters('show', id)
  for (const { stdout, exitCode } of [list, shown]) {
    assert.equal(exitCode, 0)
    assert.ok(stdout.includes('e\\x1b[2J\\u{202e}gpj\\x07'))
    assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
  }
  assert.match(shown.stdout, /^key +\\xff\\x1bA$/m)
  assert.match(shown.stdout, /^value +line\\nbreak\\x9b$/m)
  const json = await deadLetters('show', id, '--json')
  assert.doesNotMatch(json.stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
  const { deadLetter } = JSON.parse(json.stdout)
  assert.equal(deadLetter.eventId, hostile)
  assert.equal(deadLetter.keyBase64, Buffer.from([0xff, 0x1b, 0x41]).toString('base64'))
})

test('list narrows by reason and time, and knows what was settled', async () => {
  const id = await setAside({ offset: 200, reason: 'bad-time' })
  const ids = async (...args: string[]): Promise<string[]> =>
    JSON.parse((await deadLetters('list', '--json', ...args)).stdout).deadLetters.map(
      (letter: { id: string }) => letter.id,
    )
  assert.deepEqual(await ids('--reason', 'bad-time'), [id])
  assert.ok((await ids('--since', '1 hour')).includes(id))
  assert.deepEqual(await ids('--since', '2999-01-01'), [])
  assert.equal((await deadLetters('discard', id)).exitCode, 2)
  assert.equal((await deadLetters('discard', id, '--yes')).stdout, 'discarded 1\n')
  assert.equal((await deadLetters('discard', id, '--yes')).exitCode, 1)
  assert.deepEqual(await ids('--reason', 'bad-time'), [])
  assert.deepEqual(await ids('--reason', 'bad-time', '--all'), [id])
  const cut = await deadLetters('list', '--all', '--limit', '1')
  assert.match(cut.stderr, /more than these 1/)
})

test('replay applies through the configured handler, says what it did, and does it once', async () => {
  const good = await setAside({ offset: 300, reason: 'handler' })
  const bad = await setAside({ offset: 301, reason: 'handler', value: '{"account":null}' })
  const dry = await deadLetters('replay', '--reason', 'handler', '--dry-run')
  assert.equal(dry.exitCode, 0, dry.stderr)
  assert.match(dry.stdout, new RegExp(`^${good}  payments\\[0\\]@300  handler  would-be-replayed$`, 'm'))
  assert.equal(await ledgerHas('evt-300'), false)

  const replay = await deadLetters('replay', '--reason', 'handler')
  assert.equal(replay.exitCode, 1)
  assert.match(replay.stdout, new RegExp(`^${good}  payments\\[0\\]@300  handler  processed$`, 'm'))
  assert.match(replay.stdout, new RegExp(`^${bad}  .*  handler  kept: .*null value in column "account"`, 'm'))
  assert.equal(await ledgerHas('evt-300'), true)
  const again = await deadLetters('replay', good, '--json')
  assert.equal(again.exitCode, 0)
  assert.deepEqual(JSON.parse(again.stdout).counts, { settled: 1 })
  assert.equal((await deadLetters('discard', bad, '--yes')).exitCode, 0)
})

test('replay asks where nobody can know, and for an id where the record has none', async () => {
  const reused = await setAside({ offset: 400, reason: 'id-reused' })
  const unnamed = await setAside({
    offset: 401,
    reason: 'bad-id',
    eventId: null,
    header: Buffer.from([0xff]),
  })
  const asked = await deadLetters('replay', reused, unnamed)
  assert.equal(asked.exitCode, 1)
  assert.match(asked.stdout, new RegExp(`^${reused} .* asked: .*--may-have-been-applied`, 'm'))
  assert.match(asked.stdout, new RegExp(`^${unnamed} .* kept: .*give it one with --event-id`, 'm'))
  assert.match((await deadLetters('replay', reused, '--may-have-been-applied')).stdout, / processed$/m)
  assert.match((await deadLetters('replay', unnamed, '--event-id', 'mended-401')).stdout, / processed$/m)
  assert.deepEqual([await ledgerHas('evt-400'), await ledgerHas('mended-401')], [true, true])
})

test('what every event would meet ends the replay with a sentence', async () => {
  const id = await setAside({ offset: 450, reason: 'handler' })
  await db.database.query('alter table ledger_entries rename to elsewhere')
  await db.database.query(
    'create view ledger_entries as select * from elsewhere where false group by 1, 2, 3, 4',
  )
  const { exitCode, stderr } = await deadLetters('replay', id)
  await db.database.query('drop view ledger_entries')
  await db.database.query('alter table elsewhere rename to ledger_entries')
  assert.equal(exitCode, 2)
  assert.match(stderr, /cannot insert into view/)
  assert.doesNotMatch(stderr, /\.ts:/)
  assert.equal((await deadLetters('discard', id, '--yes')).exitCode, 0)
})

test('two replays at once apply every event once', async () => {
  for (let offset = 500; offset < 540; offset++) await setAside({ offset, reason: 'handler' })
  const both = await Promise.all([
    deadLetters('replay', '--all', '--reason', 'handler', '--json'),
    deadLetters('replay', '--all', '--reason', 'handler', '--json'),
  ])
  assert.deepEqual(
    both.map(({ exitCode }) => exitCode),
    [0, 0],
  )
  const processed = both.reduce((sum, { stdout }) => sum + (JSON.parse(stdout).counts.processed ?? 0), 0)
  assert.equal(processed, 40)
})

test('garbage is refused with 2 and a sentence', async () => {
  for (const [args, message] of [
    [['show'], /missing required argument/],
    [['show', 'abc'], /expected the id of a dead letter/],
    [['show', '99999999999999999999'], /expected the id of a dead letter/],
    [['show', '9223372036854775807'], /there is none/],
    [['list', '--reason', 'broken'], /expected --reason to be of bad-id/],
    [['list', '--since', '2026-13-01'], /expected --since/],
    [['list', '--since', '2026-08-01T12:00'], /expected --since/],
    [['list', '--limit', '-1'], /expected --limit/],
    [['replay'], /expected the ids of dead letters, --all/],
    [['replay', '1', '--all'], /got both/],
    [['replay', '--all', '--event-id', 'x'], /expected the id of one dead letter beside --event-id/],
    [['discard'], /expected the ids/],
  ] as const) {
    const { exitCode, stdout, stderr } = await deadLetters(...args)
    assert.deepEqual([exitCode, stdout], [2, ''], `${args.join(' ')}\n${stderr}`)
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /\.ts:/)
  }
  const missing = await deadLetters('replay', '9223372036854775806')
  assert.deepEqual(
    [missing.exitCode, missing.stdout.split('  ')[1]],
    [1, 'missing: this group has no such dead letter\n'],
  )
})
