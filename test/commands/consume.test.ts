import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runDaymark, startDaymark } from '../support/daymark-process.ts'
import { eventually } from '../support/eventually.ts'
import { createLedger } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { createTestTopics } from '../support/test-topic.ts'

const EFFECT = fileURLToPath(new URL('../../examples/payments/effect.sql', import.meta.url))

test('a change of identity is refused by name with what it risks, and taken on where it is accepted by name', async () => {
  await using db = await createTestDatabase()
  await using topics = await createTestTopics()
  await createLedger(db.database)
  const topic = await topics.create(1, { 'retention.ms': '604800000' })
  const variables = {
    DATABASE_URL: db.settings.url ?? '',
    KAFKA_BROKERS: topics.kafka.brokers.join(','),
    KAFKA_GROUP_ID: 'ledger-writer',
    KAFKA_TOPICS: topic,
    DAYMARK_CONSUMER_HANDLER: EFFECT,
    DAYMARK_HTTP_PORT: '0',
  }
  await db.database.query(
    `insert into daymark.consumer_groups (consumer_group, identity_settings)
     values ('ledger-writer', '{"eventId": "header:event-id", "markerDay": "record-timestamp", "idScope": "group"}')`,
  )
  const changed = { ...variables, DAYMARK_CONSUMER_MARKER_DAY: 'event-id' }
  for (const flags of [[], ['--accept-identity-change', 'idScope']]) {
    const refused = await runDaymark(['consume', ...flags], changed)
    assert.equal(refused.exitCode, 2)
    assert.match(
      refused.stderr,
      /markerDay is "event-id" and was "record-timestamp".*applied a second time.*--accept-identity-change markerDay/,
    )
  }
  const unknown = await runDaymark(['consume', '--accept-identity-change', 'overlap'], changed)
  assert.match(
    unknown.stderr,
    /expected --accept-identity-change to be of eventId, markerDay, idScope, got \["overlap"\]/,
  )

  await using accepted = startDaymark(['consume', '--accept-identity-change', 'markerDay'], changed)
  await eventually('it to start', () => accepted.stderr().includes('"msg":"started"'), 60_000)
  assert.match(accepted.stderr(), /a change of identity was accepted/)
  accepted.signal('SIGTERM')
  assert.equal((await accepted.ended).exitCode, 0)
  assert.match(
    (await runDaymark(['consume'], variables)).stderr,
    /markerDay is "record-timestamp" and was "event-id"/,
  )
})
