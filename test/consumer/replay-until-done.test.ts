import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { defineHandler } from '../../src/consumer/handler.ts'
import { replayUntilDone } from '../../src/consumer/replay-until-done.ts'
import { payment } from '../support/payments.ts'
import { ledgerEffect } from '../support/test-consumer.ts'
import { deadLettersOf, ledgerIds, lettersOf, NO_WISHES, openServers, partsFor } from './set-aside.ts'

const servers = await openServers()
after(() => servers[Symbol.asyncDispose]())

test('replays at once apply an event once', async () => {
  const { settings, ids } = await deadLettersOf(servers, [payment('at-once')])
  const parts = await partsFor(servers, settings, ledgerEffect)
  const [id = ''] = ids
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => replayUntilDone(parts, id, NO_WISHES)))
  assert.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), [
    'processed',
    'settled',
    'settled',
    'settled',
    'settled',
  ])
  assert.deepEqual(await ledgerIds(servers, 'at-once'), ['at-once'])
})

test('what fails again waits on, with what is wrong now, and its effect is rolled back', async () => {
  const { topic, settings, ids } = await deadLettersOf(servers, [payment('half-way')])
  const halfWay = defineHandler({
    async applyEach({ eventId }, tx) {
      await tx.query(
        `insert into ledger_entries (event_id, account, amount_cents, booked_at) values ($1, 'a', 1, now())`,
        [eventId],
      )
      throw new TypeError('the account is closed\0')
    },
  })
  const replayed = await replayUntilDone(await partsFor(servers, settings, halfWay), ids[0] ?? '', NO_WISHES)
  assert.equal(replayed.outcome, 'kept')
  assert.deepEqual(await ledgerIds(servers, 'half-way'), [])
  const [letter] = await lettersOf(servers, topic)
  assert.deepEqual([letter?.error, letter?.outcome], ['TypeError: the account is closed\u2400', null])
})

test('a handler that swallows the error of a statement leaves the dead letter waiting', async () => {
  const { settings, ids } = await deadLettersOf(servers, [payment('swallowed')])
  const swallow = defineHandler({
    async applyEach(_event, tx) {
      await tx.query('select 1 / 0').catch(() => undefined)
    },
  })
  const replayed = await replayUntilDone(await partsFor(servers, settings, swallow), ids[0] ?? '', NO_WISHES)
  assert.equal(replayed.outcome, 'kept')
})

test('a schema that is not there ends the replay: it would be so with every event', async () => {
  const { topic, settings, ids } = await deadLettersOf(servers, [payment('no-table')])
  const noTable = defineHandler({
    async applyEach(_event, tx) {
      await tx.query('insert into no_such_table values (1)')
    },
  })
  const parts = await partsFor(servers, settings, noTable)
  await assert.rejects(replayUntilDone(parts, ids[0] ?? '', NO_WISHES), { code: '42P01' })
  assert.match((await lettersOf(servers, topic))[0]?.error ?? '', /no account for no-table/)
})

test('a connection that is cut is tried again on another, and the event takes effect once', async () => {
  const { settings, ids } = await deadLettersOf(servers, [payment('cut-off')])
  let tries = 0
  const cutOnce = defineHandler({
    async applyEach({ eventId }, tx) {
      await tx.query(
        `insert into ledger_entries (event_id, account, amount_cents, booked_at) values ($1, 'a', 1, now())`,
        [eventId],
      )
      if (tries++ === 0) await tx.query('select pg_terminate_backend(pg_backend_pid())')
    },
  })
  const parts = await partsFor(servers, settings, cutOnce)
  assert.deepEqual(await replayUntilDone(parts, ids[0] ?? '', NO_WISHES), { outcome: 'processed' })
  assert.equal(tries, 2)
  assert.deepEqual(await ledgerIds(servers, 'cut-off'), ['cut-off'])
})

test('a handler that never returns is cut off, and the dead letter waits on', async () => {
  const { settings, ids } = await deadLettersOf(servers, [payment('hung')])
  const hung = defineHandler({ applyEach: () => new Promise<void>(() => undefined) })
  const parts = await partsFor(servers, { ...settings, batchTimeoutMs: 100 }, hung)
  const replayed = await replayUntilDone(parts, ids[0] ?? '', NO_WISHES)
  assert.equal(replayed.outcome, 'kept')
  assert.match('error' in replayed ? replayed.error : '', /took longer than 100 ms/)
})

test('a value that is still not JSON waits on', async () => {
  const { settings, ids } = await deadLettersOf(servers, [{ ...payment('not-json'), value: '{"amount' }])
  const replayed = await replayUntilDone(
    await partsFor(servers, settings, ledgerEffect),
    ids[0] ?? '',
    NO_WISHES,
  )
  assert.deepEqual(replayed, { outcome: 'kept', error: 'the value is not JSON (SyntaxError, 8 bytes)' })
})
