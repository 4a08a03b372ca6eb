import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { connectKafka } from '../../src/kafka/kafka-client.ts'
import { nextAfter } from '../../src/kafka/offset.ts'
import { silentLog } from '../../src/process/log.ts'
import { eventually } from '../support/eventually.ts'
import { createLedger, ledgerEffect, startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { createTestTopics, testKafka } from '../support/test-topic.ts'
import { joinTestGroup, resolveAll } from './test-member.ts'

const topics = await createTestTopics()
after(() => topics[Symbol.asyncDispose]())

type Ending = 'commit' | 'abort'

/** Writes transactions of two payments each, in turn; each leaves a control record behind it. */
async function writeTransactions(topic: string, endings: readonly Ending[]): Promise<void> {
  const producer = connectKafka(testKafka(), silentLog).producer({
    transactionalId: `tx-${randomBytes(6).toString('hex')}`,
    idempotent: true,
    maxInFlightRequests: 1,
  })
  await producer.connect()
  try {
    for (const [number, ending] of endings.entries()) {
      const transaction = await producer.transaction()
      const messages = ['a', 'b'].map((name) => ({
        key: 'acct_7',
        value: JSON.stringify({ account: 'acct_7', amountCents: 1 }),
        headers: { 'event-id': `evt-${number}${name}` },
      }))
      await transaction.send({ topic, messages })
      await (ending === 'commit' ? transaction.commit() : transaction.abort())
    }
  } finally {
    await producer.disconnect()
  }
}

test('records that were aborted are not seen, and what was passed over can be committed', async () => {
  const topic = await topics.create(1)
  await writeTransactions(topic, ['abort', 'commit', 'abort'])
  const seen: string[] = []
  await using member = await joinTestGroup(topic, {
    async batch(fetched, claim) {
      seen.push(...fetched.records.map(({ offset }) => offset))
      await claim.commit(nextAfter(fetched.lastOffset))
      resolveAll(fetched, claim)
    },
    emptied: (_, lastOffset, commit) => commit(nextAfter(lastOffset)),
  })
  await eventually('the committed offset to reach the end', async () => {
    const [committed] = await topics.admin.fetchCommittedOffsets(member.group, topic)
    return committed?.offset === '9'
  })
  assert.deepEqual(seen, ['3', '4'])
})

for (const [name, endings, events] of [
  ['nothing but aborted records', ['abort', 'abort'], 0],
  ['aborted records at its end', ['commit', 'abort'], 2],
] as const) {
  test(`a topic partition with ${name} comes to a lag of zero`, async () => {
    await using db = await createTestDatabase()
    await createLedger(db.database)
    const topic = await topics.create(1)
    await writeTransactions(topic, endings)
    const settings = testSettings({ topics: [topic] })
    const options = { settings, handler: ledgerEffect, database: db.database, kafka: testKafka() }
    await using consumer = await startTestConsumer(options)
    await eventually('the committed offset to reach the end', async () => {
      const [committed] = await topics.admin.fetchCommittedOffsets(settings.group, topic)
      return committed?.offset === '6'
    })
    assert.equal(consumer.snapshot().partitions[0]?.nextOffset, '6')
    const { rows } = await db.database.query<{ nextOffset: string; entries: string }>(
      `select next_offset as "nextOffset", (select count(*) from ledger_entries) as entries from daymark.consumer_progress`,
    )
    assert.deepEqual(rows, [{ nextOffset: '6', entries: String(events) }])
  })
}
