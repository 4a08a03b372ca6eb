import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { startDaymark } from '../support/daymark-process.ts'
import { eventuallyApplied, TYPESCRIPT_HANDLER } from '../support/ledger.ts'
import { eventIds } from '../support/payments.ts'
import { newGroup } from '../support/test-consumer.ts'

const PARTITIONS = 16
const RECORDS = 25
/** As long as the broker's default allows for a batch of one. */
const VALUE_BYTES = 1_000_000
/** Less than all of the records take; what it takes at its peak is some 250. */
const LONGEST_MB = 390

test('memory stays bounded with 16 partitions of records of 1 MB, whatever waits at the broker', async (t) => {
  await using bench = await createConsumerBench()
  const topic = await bench.topics.create(PARTITIONS, { 'retention.ms': '604800000' })
  const ids = eventIds('evt', PARTITIONS * RECORDS)
  const value = JSON.stringify({ account: 'acct_7', amountCents: 1, note: 'x'.repeat(VALUE_BYTES) })
  for (const [number, id] of ids.entries()) {
    const partition = number % PARTITIONS
    await bench.send([{ key: 'k', value, headers: { 'event-id': id }, partition }], topic)
  }
  await using daymark = startDaymark(['consume'], {
    DATABASE_URL: bench.db.settings.url ?? '',
    KAFKA_BROKERS: bench.topics.kafka.brokers.join(','),
    KAFKA_GROUP_ID: newGroup(),
    KAFKA_TOPICS: topic,
    DAYMARK_CONSUMER_HANDLER: TYPESCRIPT_HANDLER,
    DAYMARK_HTTP_PORT: '0',
  })
  await eventuallyApplied(bench.db.database, ids.length, 60_000)
  const status = readFileSync(`/proc/${daymark.pid}/status`, 'utf8')
  const peakMb = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
  t.diagnostic(`peak ${peakMb.toFixed(0)} MB`)
  assert.ok(peakMb < LONGEST_MB, `the process took ${peakMb.toFixed(0)} MB at its peak`)
})
