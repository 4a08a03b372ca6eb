import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ConsumerSettings } from '../../src/consumer/consumer-settings.ts'
import { pinIdentity } from '../../src/consumer/pin-identity.ts'
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
    await pinIdentity(db.database, settings)
    await assert.rejects(pinIdentity(db.database, { ...settings, ...change }), {
      name: 'ConsumerStartError',
      message,
    })
    await pinIdentity(db.database, settings)
  })
}

test('what makes no key may change from one start to the next', async () => {
  const settings = testSettings({ topics: ['payments'] })
  await pinIdentity(db.database, settings)
  await pinIdentity(db.database, { ...settings, overlapMs: 0, batchRows: 1, topics: ['payments', 'refunds'] })
})

test('two members of a new group that begin at once agree', async () => {
  const settings = testSettings({ topics: ['payments'] })
  await Promise.all([pinIdentity(db.database, settings), pinIdentity(db.database, settings)])
  const other: ConsumerSettings = { ...settings, group: `${settings.group}-other` }
  const answers = await Promise.allSettled([
    pinIdentity(db.database, other),
    pinIdentity(db.database, { ...other, idScope: 'topic' }),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})
