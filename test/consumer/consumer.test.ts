import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import type { Handler } from '../../src/consumer/handler.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
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

test('an UPDATE that would apply only one of two events for one row is warned of before anything is read', async () => {
  await using bench = await createConsumerBench()
  await bench.db.database.query('create table seen (account text primary key, events integer not null)')
  await bench.db.database.query(`insert into seen values ('account-1', 0)`)
  const naive = `update seen s set events = s.events + 1 from events e where e.value ->> 'account' = s.account`
  const amount = { account: 'account-1', amountCents: 1 }
  await bench.send(['a', 'b'].map((id) => ({ ...payment(id), value: Buffer.from(JSON.stringify(amount)) })))
  await using _consumer = await bench.start({ handler: { kind: 'sql', text: naive } })
  await bench.committed(2)
  const { rows } = await bench.db.database.query('select events from seen')
  assert.deepEqual(rows, [{ events: 1 }], 'PostgreSQL applies both now: the warning is not needed any more')
  const warning = bench.log.lines.find(({ level, fields }) => level === 'warn' && 'warning' in fields)
  assert.match(String(warning?.fields.warning), /updates seen from the rows of events as they are/)
})
