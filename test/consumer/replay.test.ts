import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ConsumerSettings } from '../../src/consumer/consumer-settings.ts'
import { defineHandler, type Handler } from '../../src/consumer/handler.ts'
import { prepareHandler } from '../../src/consumer/prepare-handler.ts'
import { type ReplayParts, replayUntilDone } from '../../src/consumer/replay-until-done.ts'
import type { RecordToSend } from '../../src/kafka/kafka-producer.ts'
import { eventually } from '../support/eventually.ts'
import { payment } from '../support/payments.ts'
import { createLedger, ledgerEffect, startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createTestTopics, type TestTopics } from '../support/test-topic.ts'

let db: TestDatabase
let topics: TestTopics

before(async () => {
  db = await createTestDatabase()
  topics = await createTestTopics()
  await createLedger(db.database)
})

after(async () => {
  await topics[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

const NO_WISHES = { eventId: null, mayHaveBeenApplied: false }

/** Refuses what it is told to, until it is mended. */
const refuseAll: Handler = defineHandler({
  async applyEach({ eventId }) {
    throw new Error(`no account for ${eventId}`)
  },
})

/** Records that were consumed into dead letters, in the order of the log. */
async function deadLettersOf(
  records: readonly RecordToSend[],
  given: Partial<ConsumerSettings> & { readonly handler?: Handler } = {},
) {
  // The broker refuses timestamps that lie an hour ahead, unless told otherwise.
  const topic = await topics.create(1, { 'message.timestamp.after.max.ms': '9223372036854775807' })
  for (const record of records) await topics.producer.send(topic, [{ ...record, partition: 0 }])
  const { handler = refuseAll, ...other } = given
  const settings = testSettings({ topics: [topic], deadLetterLimit: 1, batchRows: 1, ...other })
  const consumer = await startTestConsumer({ settings, handler, database: db.database, kafka: topics.kafka })
  const ids = await eventually('every record to be read', async () => {
    const { rows } = await db.database.query<{ next: string }>(
      'select next_offset as next from daymark.consumer_progress where topic = $1::text',
      [topic],
    )
    if (!(Number(rows[0]?.next) >= records.length)) return null
    return (await lettersOf(topic)).map(({ id }) => id)
  })
  await consumer.stop()
  return { topic, settings, ids }
}

type Letter = {
  readonly id: string
  readonly reason: string
  readonly error: string
  readonly outcome: string | null
}

async function lettersOf(topic: string): Promise<Letter[]> {
  const { rows } = await db.database.query<Letter>(
    `select id, reason, error, replay_outcome as outcome
       from daymark.dead_letters
      where topic = $1::text
      order by "offset"`,
    [topic],
  )
  return rows
}

async function partsFor(settings: ConsumerSettings, handler: Handler): Promise<ReplayParts> {
  return {
    settings,
    handler: await prepareHandler(db.database, handler),
    database: db.database,
    giveUp: new AbortController().signal,
    chance: () => 0.5,
  }
}

async function ledgerIds(like: string): Promise<string[]> {
  const { rows } = await db.database.query<{ id: string }>(
    'select event_id as id from ledger_entries where event_id like $1::text order by 1',
    [like],
  )
  return rows.map(({ id }) => id)
}

test('a mended handler takes effect once, against the marker that the dead letter left', async () => {
  const { topic, settings, ids } = await deadLettersOf([payment('mended-1'), payment('mended-2')])
  const parts = await partsFor(settings, ledgerEffect)
  assert.equal(ids.length, 2)
  for (const id of ids)
    assert.deepEqual(await replayUntilDone(parts, id, NO_WISHES), { outcome: 'processed' })
  for (const id of ids) assert.deepEqual(await replayUntilDone(parts, id, NO_WISHES), { outcome: 'settled' })
  assert.deepEqual(await ledgerIds('mended-%'), ['mended-1', 'mended-2'])
  assert.deepEqual(
    (await lettersOf(topic)).map(({ outcome }) => outcome),
    ['processed', 'processed'],
  )
})

test('replays at once apply an event once', async () => {
  const { settings, ids } = await deadLettersOf([payment('at-once')])
  const parts = await partsFor(settings, ledgerEffect)
  const [id = ''] = ids
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => replayUntilDone(parts, id, NO_WISHES)))
  assert.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), [
    'processed',
    'settled',
    'settled',
    'settled',
    'settled',
  ])
  assert.deepEqual(await ledgerIds('at-once'), ['at-once'])
})

test('what fails again waits on, with what is wrong now, and its effect is rolled back', async () => {
  const { topic, settings, ids } = await deadLettersOf([payment('half-way')])
  const halfWay = defineHandler({
    async applyEach({ eventId }, tx) {
      await tx.query(
        `insert into ledger_entries (event_id, account, amount_cents, booked_at) values ($1, 'a', 1, now())`,
        [eventId],
      )
      throw new TypeError('the account is closed\0')
    },
  })
  const replayed = await replayUntilDone(await partsFor(settings, halfWay), ids[0] ?? '', NO_WISHES)
  assert.equal(replayed.outcome, 'kept')
  assert.deepEqual(await ledgerIds('half-way'), [])
  const [letter] = await lettersOf(topic)
  assert.deepEqual([letter?.error, letter?.outcome], ['TypeError: the account is closed\u2400', null])
})

test('a handler that swallows the error of a statement leaves the dead letter waiting', async () => {
  const { settings, ids } = await deadLettersOf([payment('swallowed')])
  const swallow = defineHandler({
    async applyEach(_event, tx) {
      await tx.query('select 1 / 0').catch(() => undefined)
    },
  })
  const replayed = await replayUntilDone(await partsFor(settings, swallow), ids[0] ?? '', NO_WISHES)
  assert.equal(replayed.outcome, 'kept')
})

test('a schema that is not there ends the replay: it would be so with every event', async () => {
  const { topic, settings, ids } = await deadLettersOf([payment('no-table')])
  const noTable = defineHandler({
    async applyEach(_event, tx) {
      await tx.query('insert into no_such_table values (1)')
    },
  })
  const parts = await partsFor(settings, noTable)
  await assert.rejects(replayUntilDone(parts, ids[0] ?? '', NO_WISHES), { code: '42P01' })
  assert.match((await lettersOf(topic))[0]?.error ?? '', /no account for no-table/)
})

test('a value that is still not JSON waits on', async () => {
  const { settings, ids } = await deadLettersOf([{ ...payment('not-json'), value: '{"amount' }])
  const replayed = await replayUntilDone(await partsFor(settings, ledgerEffect), ids[0] ?? '', NO_WISHES)
  assert.deepEqual(replayed, { outcome: 'kept', error: 'the value is not JSON (SyntaxError, 8 bytes)' })
})

test('a record without an id is applied under the one that it is given, once', async () => {
  const { topic, settings, ids } = await deadLettersOf([
    { ...payment(''), headers: {} },
    { ...payment(''), headers: {} },
  ])
  const parts = await partsFor(settings, ledgerEffect)
  const [first = '', second = ''] = ids
  const unnamed = await replayUntilDone(parts, first, NO_WISHES)
  assert.equal(unnamed.outcome, 'kept')
  const given = { eventId: 'corrected', mayHaveBeenApplied: false }
  assert.deepEqual(await replayUntilDone(parts, first, given), { outcome: 'processed' })
  // The same id for another record of the same value: one event, published twice.
  assert.deepEqual(await replayUntilDone(parts, second, given), { outcome: 'duplicate' })
  assert.deepEqual(await ledgerIds('corrected'), ['corrected'])
  const { rows } = await db.database.query<{ eventId: string; day: string | null }>(
    `select event_id as "eventId", to_char(marker_day, 'YYYY-MM-DD') as day
       from daymark.dead_letters where topic = $1::text order by "offset"`,
    [topic],
  )
  assert.deepEqual(
    rows.map(({ eventId, day }) => [eventId, day !== null]),
    [
      ['corrected', true],
      ['corrected', false],
    ],
  )
})

test('an id that another value carries is refused, not taken for a duplicate', async () => {
  const { settings, ids } = await deadLettersOf([
    { ...payment('', { amountCents: 1 }), headers: {} },
    { ...payment('', { amountCents: 2 }), headers: {} },
  ])
  const parts = await partsFor(settings, ledgerEffect)
  const given = { eventId: 'taken', mayHaveBeenApplied: false }
  assert.deepEqual(await replayUntilDone(parts, ids[0] ?? '', given), { outcome: 'processed' })
  const refused = await replayUntilDone(parts, ids[1] ?? '', given)
  assert.equal(refused.outcome, 'kept')
  assert.match('error' in refused ? refused.error : '', /its id was used before for another value/)
})

test('an event of the future is applied once its day has come', async () => {
  const future = Date.now() + 20 * 86_400_000
  const { settings, ids } = await deadLettersOf([payment('early', { timestampMs: future })])
  const parts = await partsFor(settings, ledgerEffect)
  const early = await replayUntilDone(parts, ids[0] ?? '', NO_WISHES)
  assert.equal(early.outcome, 'kept')
  // A runway that reaches as far is the same as the days going by, but no day has been made yet.
  const later = { ...parts, settings: { ...settings, runwayDays: 30 } }
  const missing = await replayUntilDone(later, ids[0] ?? '', NO_WISHES)
  assert.match('error' in missing ? missing.error : '', /no partition for a day/)
  const day = new Date(future).toISOString().slice(0, 10)
  const next = new Date(future + 86_400_000).toISOString().slice(0, 10)
  await db.database.query(
    `create table daymark.processed_events_early partition of daymark.processed_events for values from ('${day}') to ('${next}')`,
  )
  const overlapless = { ...later, settings: { ...later.settings, overlapMs: 0 } }
  assert.deepEqual(await replayUntilDone(overlapless, ids[0] ?? '', NO_WISHES), { outcome: 'processed' })
  assert.deepEqual(await ledgerIds('early'), ['early'])
})

test('what may have been applied is applied only where somebody says so', async () => {
  const { settings, ids } = await deadLettersOf(
    [payment('reused', { amountCents: 1 }), payment('reused', { amountCents: 2 })],
    { handler: defineHandler({ async applyEach() {} }) },
  )
  const insertAny = defineHandler({
    async applyEach({ offset }, tx) {
      await tx.query(
        `insert into ledger_entries (event_id, account, amount_cents, booked_at) values ($1, 'a', 1, now())`,
        [`reused-at-${offset}`],
      )
    },
  })
  const parts = await partsFor(settings, insertAny)
  const asked = await replayUntilDone(parts, ids[0] ?? '', NO_WISHES)
  assert.equal(asked.outcome, 'asked')
  assert.match('error' in asked ? asked.error : '', /--may-have-been-applied/)
  assert.deepEqual(await ledgerIds('reused%'), [])
  const wishes = { eventId: null, mayHaveBeenApplied: true }
  assert.deepEqual(await replayUntilDone(parts, ids[0] ?? '', wishes), { outcome: 'processed' })
  assert.deepEqual(await replayUntilDone(parts, ids[0] ?? '', wishes), { outcome: 'settled' })
  assert.deepEqual(await ledgerIds('reused%'), ['reused-at-1'])
})

test('a marker that another record has taken settles the dead letter as a duplicate', async () => {
  const { topic, settings, ids } = await deadLettersOf([payment('overtaken')])
  await db.database.query(
    `update daymark.processed_events set "offset" = 77 where event_id = 'overtaken' and topic = $1::text`,
    [topic],
  )
  const parts = await partsFor(settings, ledgerEffect)
  assert.deepEqual(await replayUntilDone(parts, ids[0] ?? '', NO_WISHES), { outcome: 'duplicate' })
  assert.deepEqual(await ledgerIds('overtaken'), [])
})

test('headers, key and value reach the handler as the record had them', async () => {
  const { settings, ids } = await deadLettersOf([
    {
      key: null,
      value: null,
      headers: { 'event-id': 'tombstone', constructor: 'c', trace: Buffer.from('t\u00fc') },
    },
  ])
  const seen: unknown[] = []
  const look = defineHandler({
    async applyEach({ key, value, headers }) {
      seen.push([key, value, headers.constructor, headers.trace])
    },
  })
  await replayUntilDone(await partsFor(settings, look), ids[0] ?? '', NO_WISHES)
  assert.deepEqual(seen, [[null, null, 'c', 't\u00fc']])
})
