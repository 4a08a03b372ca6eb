import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFloor } from '../../src/consumer/sql/set-floor.ts'
import type { RecordToSend } from '../../src/kafka/kafka-producer.ts'
import { runDaymark } from '../support/daymark-process.ts'
import { eventually } from '../support/eventually.ts'
import { payment } from '../support/payments.ts'
import { createLedger, ledgerEffect, startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { createTestTopics } from '../support/test-topic.ts'

/** Payments that their producer numbers without a gap. */
function numberedPayments(from: number, until: number): RecordToSend[] {
  return Array.from({ length: until - from }, (_, index) => {
    const record = payment(`numbered-${from + index}`, { partition: 0 })
    return { ...record, headers: { ...record.headers, 'event-sequence': `api/1/${from + index}` } }
  })
}

test('what the broker deleted is counted once, and what is skipped on purpose not at all, in spite of the numbering', async () => {
  await using db = await createTestDatabase()
  await using topics = await createTestTopics()
  await createLedger(db.database)
  const topic = await topics.create(1)
  const settings = testSettings({ topics: [topic], sequenceHeader: 'event-sequence' })
  const place = { group: settings.group, topic, partition: 0 }
  let lost = 0
  const parts = {
    settings,
    handler: ledgerEffect,
    database: db.database,
    kafka: topics.kafka,
    observer: {
      recordsLost({ count }: { readonly count: number }) {
        lost += count
      },
    },
  }
  const readTo = (offset: string): Promise<boolean> =>
    eventually(`the progress to be ${offset}`, async () => {
      const { rows } = await db.database.query<{ next: string }>(
        'select next_offset as next from daymark.consumer_progress where topic = $1::text',
        [topic],
      )
      return rows[0]?.next === offset
    })

  await topics.producer.send(topic, numberedPayments(1, 11))
  await (async () => {
    await using _first = await startTestConsumer(parts)
    await readTo('10')
  })()
  await topics.producer.send(topic, numberedPayments(11, 31))
  await topics.admin.deleteRecords(topic, [{ partition: 0, offset: '14' }])
  await (async () => {
    await using second = await startTestConsumer(parts)
    await eventually('it to wait', () => second.snapshot().partitions[0]?.waitingFor === 'lost-records')
    const accepted = await runDaymark(
      ['progress', 'accept-loss', topic, '0', '--yes', '--group', settings.group],
      {
        DATABASE_URL: db.settings.url ?? '',
        KAFKA_BROKERS: topics.kafka.brokers.join(','),
      },
    )
    assert.equal(accepted.stdout, 'lost 4: offsets 10 up to 14; goes on at 14\n', accepted.stderr)
    await readTo('30')
  })()
  assert.equal(lost, 4)
  await topics.producer.send(topic, numberedPayments(31, 41))
  await setFloor(db.database, place, '35')
  await using _third = await startTestConsumer(parts)
  await readTo('40')
  assert.equal(lost, 4)
  const { rows } = await db.database.query(
    'select number, lost_events as lost from daymark.producer_sequences where topic = $1::text',
    [topic],
  )
  assert.deepEqual(rows, [{ number: '40', lost: '0' }])
})
