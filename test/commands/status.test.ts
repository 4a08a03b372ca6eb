import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../src/local/free-port.ts'
import { runDaymark } from '../support/daymark-process.ts'
import { eventIds, payment } from '../support/payments.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { createTestTopics } from '../support/test-topic.ts'

async function createUsedDatabase() {
  const db = await createTestDatabase()
  await db.database.query(
    `insert into daymark.consumer_progress (consumer_group, topic, partition, next_offset, record_timestamp)
     values ('ledger-writer', 'payments', 3, 9007199254740993, '2026-08-01T12:00:00Z')`,
  )
  await db.database.query(
    `insert into daymark.dead_letters (consumer_group, topic, partition, "offset", record_timestamp, reason, error)
     select 'ledger-writer', 'payments', 3, n, '2026-08-01T12:00:00Z', 'bad-id', 'the record has no id'
       from generate_series(1, 2) as n`,
  )
  await db.database.query(
    `insert into daymark.topic_retentions (topic, retention_ms, cleanup_policy) values ('payments', 604800000, 'delete')`,
  )
  return db
}

test('status as JSON tells tables, topics, groups and dead letters, with offsets as text', async () => {
  await using db = await createUsedDatabase()
  const ended = await runDaymark(['status', '--json'], { DATABASE_URL: db.settings.url ?? '' })
  assert.deepEqual([ended.exitCode, ended.stderr], [0, ''])
  const status = JSON.parse(ended.stdout)
  assert.equal(status.schemaVersion, 1)
  const [table] = status.tables
  assert.deepEqual([table.table, table.runwayDays, table.partitions], ['daymark.processed_events', 7, 9])
  assert.deepEqual(table.topics[0].retentionMs, 604_800_000)
  assert.equal(status.groups[0].nextOffset, '9007199254740993')
  assert.equal(status.groups[0].broker, null)
  assert.deepEqual(status.deadLetters, [{ group: 'ledger-writer', reason: 'bad-id', waiting: 2 }])
  assert.deepEqual(status.lastSteps, [])
})

test('status for people says how far the runway and the margin reach', async () => {
  await using db = await createUsedDatabase()
  const ended = await runDaymark(['status'], { DATABASE_URL: db.settings.url ?? '' })
  assert.equal(ended.exitCode, 0)
  assert.match(ended.stdout, /^ {2}runway +7 d ahead$/m)
  assert.match(ended.stdout, /^ {2}margin +SHORT BY \d d/m)
  assert.match(ended.stdout, /^ {2}payments +keeps its records for 7 d$/m)
  assert.match(ended.stdout, /^ {2}ledger-writer +bad-id +2$/m)
})

test('a broker that is away costs the lag, and nothing else', async () => {
  await using db = await createUsedDatabase()
  const variables = { DATABASE_URL: db.settings.url ?? '', KAFKA_BROKERS: `127.0.0.1:${await freePort()}` }
  const ended = await runDaymark(['status', '--json'], variables)
  assert.equal(ended.exitCode, 0)
  assert.equal(JSON.parse(ended.stdout).groups[0].broker, null)
  assert.match(ended.stderr, /asking Kafka at 127\.0\.0\.1:\d+ for lag: /)
})

test('the lag is what the broker holds beyond the progress, whatever the group has committed', async () => {
  await using db = await createTestDatabase()
  await using topics = await createTestTopics()
  const topic = await topics.create(1)
  await topics.producer.send(
    topic,
    eventIds('status', 12).map((id) => payment(id)),
  )
  await topics.admin.setCommittedOffsets('ledger-writer', topic, [{ partition: 0, offset: '3' }])
  await db.database.query(
    `insert into daymark.consumer_progress (consumer_group, topic, partition, next_offset)
     values ('ledger-writer', $1::text, 0, 5)`,
    [topic],
  )
  const variables = { DATABASE_URL: db.settings.url ?? '', KAFKA_BROKERS: topics.kafka.brokers.join(',') }
  const ended = await runDaymark(['status', '--json'], variables)
  assert.equal(ended.exitCode, 0)
  const [group] = JSON.parse(ended.stdout).groups
  assert.deepEqual(group.broker, { low: '0', high: '12', committedOffset: '3', lag: 7 })
})
