import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import type { Handler } from '../../src/consumer/handler.ts'
import { eventually } from '../support/eventually.ts'
import { eventIds, payment } from '../support/payments.ts'
import { createLedger, ledgerEffect, startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { createTestTopics } from '../support/test-topic.ts'

const handlers: Record<string, Handler> = { 'a statement': ledgerEffect, TypeScript: ledgerHandler }

for (const [name, handler] of Object.entries(handlers)) {
  test(`events reach their effects through ${name}, and the offset is committed behind them`, async () => {
    await using db = await createTestDatabase()
    await using topics = await createTestTopics()
    await createLedger(db.database)
    const topic = await topics.create(3)
    const ids = eventIds('evt', 2500)
    await topics.producer.send(
      topic,
      ids.map((id, number) => payment(id, { partition: number % 3 })),
    )
    const settings = testSettings({ topics: [topic] })
    await using _consumer = await startTestConsumer({
      settings,
      handler,
      database: db.database,
      kafka: topics.kafka,
    })

    await eventually('every event in the ledger', async () => {
      const { rows } = await db.database.query<{ count: string }>('select count(*) from ledger_entries')
      return rows[0]?.count === '2500'
    })
    const { rows: markers } = await db.database.query<{ eventId: string }>(
      'select event_id as "eventId" from daymark.processed_events where not overlap order by 1',
    )
    assert.deepEqual(
      markers.map(({ eventId }) => eventId),
      ids,
    )
    await eventually('the committed offsets to reach the end', async () => {
      const committed = await topics.admin.fetchCommittedOffsets(settings.group, topic)
      return committed.reduce((sum, { offset }) => sum + Number(offset), 0) === 2500
    })
  })
}
