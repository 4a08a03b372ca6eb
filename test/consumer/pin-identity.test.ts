import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ConsumerSettings } from '../../src/consumer/consumer-settings.ts'
import { pinIdentity } from '../../src/consumer/pin-identity.ts'
import { silentLog } from '../../src/process/log.ts'
import { testSettings } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())

const changes: Record<string, [Partial<ConsumerSettings>, RegExp]> = {
  'another header': [
    { eventId: { kind: 'header', name: 'x-id' } },
    /eventId is "header:x-id" and was "header:event-id"/,
  ],
  'the key': [{ eventId: { kind: 'key' } }, /eventId is "key" and was "header:event-id"/],
  'a function': [{ eventId: { kind: 'function', of: () => 'a' } }, /eventId is "function"/],
  'another day': [{ markerDay: 'event-id' }, /markerDay is "event-id" and was "record-timestamp"/],
  'a day of a function': [{ markerDay: () => '2026-08-01' }, /markerDay is "function"/],
  'another scope': [{ idScope: 'topic' }, /idScope is "topic" and was "group"/],
}

for (const [name, [change, message]] of Object.entries(changes)) {
  test(`a group that began otherwise is refused: ${name}`, async () => {
    const settings = testSettings({ topics: ['payments'] })
    await pinIdentity(db.database, settings, silentLog)
    await assert.rejects(pinIdentity(db.database, { ...settings, ...change }, silentLog), {
      name: 'ConsumerStartError',
      message,
    })
    await pinIdentity(db.database, settings, silentLog)
  })
}

test('what makes no key may change from one start to the next', async () => {
  const settings = testSettings({ topics: ['payments'] })
  await pinIdentity(db.database, settings, silentLog)
  await pinIdentity(
    db.database,
    { ...settings, overlapMs: 0, batchRows: 1, topics: ['payments', 'refunds'] },
    silentLog,
  )
})

test('two members of a new group that begin at once agree', async () => {
  const settings = testSettings({ topics: ['payments'] })
  await Promise.all([
    pinIdentity(db.database, settings, silentLog),
    pinIdentity(db.database, settings, silentLog),
  ])
  const other: ConsumerSettings = { ...settings, group: `${settings.group}-other` }
  const answers = await Promise.allSettled([
    pinIdentity(db.database, other, silentLog),
    pinIdentity(db.database, { ...other, idScope: 'topic' }, silentLog),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('a change that is accepted by name is written down, and members with the old settings are refused from then on', async () => {
  const settings = testSettings({ topics: ['payments'] })
  await pinIdentity(db.database, settings, silentLog)
  const changed: ConsumerSettings = { ...settings, markerDay: 'event-id', idScope: 'topic' }
  await assert.rejects(
    pinIdentity(db.database, { ...changed, acceptIdentityChange: ['markerDay'] }, silentLog),
    /idScope is "topic".*applied a second time.*--accept-identity-change markerDay,idScope/,
  )
  const warnings: unknown[] = []
  const log = { ...silentLog, warn: (fields: unknown) => void warnings.push(fields) }
  await pinIdentity(db.database, { ...changed, acceptIdentityChange: ['markerDay', 'idScope'] }, log)
  assert.equal(warnings.length, 1)
  await pinIdentity(db.database, changed, silentLog)
  await assert.rejects(pinIdentity(db.database, settings, silentLog), /markerDay is "record-timestamp"/)
})

test('the naive way: with another day for the same record, the same event is marked twice', async () => {
  const { rowCount } = await db.database.query(
    `insert into daymark.processed_events (consumer_group, event_id, marker_day, topic, partition, "offset")
     select 'naive', 'evt-42', (now() at time zone 'UTC')::date + n, 'payments', 0, 7
       from generate_series(0, 1) as n
     on conflict do nothing`,
  )
  assert.equal(rowCount, 2)
})
