import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { defineHandler } from '../../src/consumer/handler.ts'
import { replayUntilDone } from '../../src/consumer/replay-until-done.ts'
import { payment } from '../support/payments.ts'
import { ledgerEffect } from '../support/test-consumer.ts'
import { deadLettersOf, ledgerIds, lettersOf, NO_WISHES, openServers, partsFor } from './set-aside.ts'

const servers = await openServers()
after(() => servers[Symbol.asyncDispose]())

test('a mended handler takes effect once, against the marker that the dead letter left', async () => {
  const { topic, settings, ids } = await deadLettersOf(servers, [payment('mended-1'), payment('mended-2')])
  const parts = await partsFor(servers, settings, ledgerEffect)
  assert.equal(ids.length, 2)
  for (const id of ids)
    assert.deepEqual(await replayUntilDone(parts, id, NO_WISHES), { outcome: 'processed' })
  for (const id of ids) assert.deepEqual(await replayUntilDone(parts, id, NO_WISHES), { outcome: 'settled' })
  assert.deepEqual(await ledgerIds(servers, 'mended-%'), ['mended-1', 'mended-2'])
  assert.deepEqual(
    (await lettersOf(servers, topic)).map(({ outcome }) => outcome),
    ['processed', 'processed'],
  )
})

test('a record without an id is applied under the one that it is given, once', async () => {
  const { topic, settings, ids } = await deadLettersOf(servers, [
    { ...payment(''), headers: {} },
    { ...payment(''), headers: {} },
  ])
  const parts = await partsFor(servers, settings, ledgerEffect)
  const [first = '', second = ''] = ids
  const unnamed = await replayUntilDone(parts, first, NO_WISHES)
  assert.equal(unnamed.outcome, 'kept')
  const given = { eventId: 'corrected', mayHaveBeenApplied: false }
  assert.deepEqual(await replayUntilDone(parts, first, given), { outcome: 'processed' })
  // The same id for another record of the same value: one event, published twice.
  assert.deepEqual(await replayUntilDone(parts, second, given), { outcome: 'duplicate' })
  assert.deepEqual(await ledgerIds(servers, 'corrected'), ['corrected'])
  const { rows } = await servers.db.database.query<{ eventId: string; day: string | null }>(
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
  const { settings, ids } = await deadLettersOf(servers, [
    { ...payment('', { amountCents: 1 }), headers: {} },
    { ...payment('', { amountCents: 2 }), headers: {} },
  ])
  const parts = await partsFor(servers, settings, ledgerEffect)
  const given = { eventId: 'taken', mayHaveBeenApplied: false }
  assert.deepEqual(await replayUntilDone(parts, ids[0] ?? '', given), { outcome: 'processed' })
  const refused = await replayUntilDone(parts, ids[1] ?? '', given)
  assert.equal(refused.outcome, 'kept')
  assert.match('error' in refused ? refused.error : '', /its id was used before for another value/)
})

test('an event of the future is applied once its day has come', async () => {
  const future = Date.now() + 20 * 86_400_000
  const { settings, ids } = await deadLettersOf(servers, [payment('early', { timestampMs: future })])
  const parts = await partsFor(servers, settings, ledgerEffect)
  const early = await replayUntilDone(parts, ids[0] ?? '', NO_WISHES)
  assert.equal(early.outcome, 'kept')
  // A runway that reaches as far is the same as the days going by, but no day has been made yet.
  const later = { ...parts, settings: { ...settings, runwayDays: 30 } }
  const missing = await replayUntilDone(later, ids[0] ?? '', NO_WISHES)
  assert.match('error' in missing ? missing.error : '', /no partition for a day/)
  const day = new Date(future).toISOString().slice(0, 10)
  const next = new Date(future + 86_400_000).toISOString().slice(0, 10)
  await servers.db.database.query(
    `create table daymark.processed_events_early partition of daymark.processed_events for values from ('${day}') to ('${next}')`,
  )
  const overlapless = { ...later, settings: { ...later.settings, overlapMs: 0 } }
  assert.deepEqual(await replayUntilDone(overlapless, ids[0] ?? '', NO_WISHES), { outcome: 'processed' })
  assert.deepEqual(await ledgerIds(servers, 'early'), ['early'])
})

test('what may have been applied is applied only where somebody says so', async () => {
  const { settings, ids } = await deadLettersOf(
    servers,
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
  const parts = await partsFor(servers, settings, insertAny)
  const asked = await replayUntilDone(parts, ids[0] ?? '', NO_WISHES)
  assert.equal(asked.outcome, 'asked')
  assert.match('error' in asked ? asked.error : '', /--may-have-been-applied/)
  assert.deepEqual(await ledgerIds(servers, 'reused%'), [])
  const wishes = { eventId: null, mayHaveBeenApplied: true }
  assert.deepEqual(await replayUntilDone(parts, ids[0] ?? '', wishes), { outcome: 'processed' })
  assert.deepEqual(await replayUntilDone(parts, ids[0] ?? '', wishes), { outcome: 'settled' })
  assert.deepEqual(await ledgerIds(servers, 'reused%'), ['reused-at-1'])
})

test('a marker that another record has taken settles the dead letter as a duplicate', async () => {
  const { topic, settings, ids } = await deadLettersOf(servers, [payment('overtaken')])
  await servers.db.database.query(
    `update daymark.processed_events set "offset" = 77 where event_id = 'overtaken' and topic = $1::text`,
    [topic],
  )
  const parts = await partsFor(servers, settings, ledgerEffect)
  assert.deepEqual(await replayUntilDone(parts, ids[0] ?? '', NO_WISHES), { outcome: 'duplicate' })
  assert.deepEqual(await ledgerIds(servers, 'overtaken'), [])
})

test('headers, key and value reach the handler as the record had them', async () => {
  const { settings, ids } = await deadLettersOf(servers, [
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
  await replayUntilDone(await partsFor(servers, settings, look), ids[0] ?? '', NO_WISHES)
  assert.deepEqual(seen, [[null, null, 'c', 't\u00fc']])
})
