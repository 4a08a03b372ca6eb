import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Ended, runDaymark } from '../support/daymark-process.ts'
import { eventually } from '../support/eventually.ts'
import { payment } from '../support/payments.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createTestTopics, type TestTopics } from '../support/test-topic.ts'

let db: TestDatabase
let topics: TestTopics

before(async () => {
  db = await createTestDatabase()
  topics = await createTestTopics()
  const topic = await topics.create(1)
  // On a broker that has just started, the first to ask for a group's offsets hears that they are being loaded.
  await eventually('the offsets of groups', () => topics.admin.fetchCommittedOffsets('ledger-writer', topic))
})

after(async () => {
  await topics[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

async function progress(...args: string[]): Promise<Ended> {
  return runDaymark(['progress', ...args], {
    DATABASE_URL: db.settings.url ?? '',
    KAFKA_BROKERS: topics.kafka.brokers.join(','),
    KAFKA_GROUP_ID: 'ledger-writer',
  })
}

/** A topic of ten records, the first six deleted, of which the group has recorded two. */
async function topicWithLoss(): Promise<string> {
  const topic = await topics.create(1)
  await topics.producer.send(
    topic,
    Array.from({ length: 10 }, (_, number) => payment(`evt-${number}`, { partition: 0 })),
  )
  await topics.admin.deleteRecords(topic, [{ partition: 0, offset: '6' }])
  await db.database.query(
    `insert into daymark.consumer_progress (consumer_group, topic, partition, next_offset)
     values ('ledger-writer', $1::text, 0, 2)`,
    [topic],
  )
  return topic
}

async function rowOf(topic: string): Promise<Record<string, unknown>> {
  const shown = await progress('show', '--json')
  assert.equal(shown.stderr, '')
  const { progress: rows } = JSON.parse(shown.stdout)
  const row = rows.find((each: { topic: string }) => each.topic === topic)
  const { nextOffset, floor, lostRecords, broker } = row
  return { nextOffset, floor, lostRecords, broker }
}

test('progress shows, accepts a loss exactly once, and skips forward', async () => {
  const topic = await topicWithLoss()
  const broker = { low: '6', high: '10', committedOffset: null, lag: 8 }
  assert.deepEqual(await rowOf(topic), { nextOffset: '2', floor: null, lostRecords: '0', broker })
  assert.match(
    (await progress('show')).stdout,
    /^group +topic +partition +next +committed +low +high +lag +floor/,
  )

  assert.match((await progress('accept-loss', topic, '0')).stderr, /say so with --yes/)
  const accepted = await progress('accept-loss', topic, '0', '--yes')
  assert.deepEqual([accepted.exitCode, accepted.stdout], [0, 'lost 4: offsets 2 up to 6; goes on at 6\n'])
  const again = await progress('accept-loss', topic, '0', '--yes')
  assert.deepEqual(
    [again.exitCode, again.stdout],
    [0, 'nothing is lost: the broker holds everything from 6 on\n'],
  )

  assert.match(
    (await progress('skip-to', topic, '0', '11', '--yes')).stderr,
    /at most 10, the end of the log/,
  )
  assert.match((await progress('skip-to', topic, '0', '6', '--yes')).stderr, /is at 6 already/)
  const skipped = await progress('skip-to', topic, '0', '9', '--yes', '--json')
  assert.deepEqual(JSON.parse(skipped.stdout), { schemaVersion: 1, floor: '9', skippedFrom: '6', skipped: 3 })
  const lowered = await progress('skip-to', topic, '0', '7', '--yes')
  assert.match(lowered.stdout, /skips 1 offsets|the floor is 7/)
  const { floor, lostRecords, nextOffset } = await rowOf(topic)
  assert.deepEqual([floor, lostRecords, nextOffset], ['7', '4', '6'])
})

test('a topic is forgotten once it is gone from the broker, and not before', async () => {
  const topic = await topicWithLoss()
  await db.database.query(
    `insert into daymark.topic_retentions (topic, retention_ms, cleanup_policy) values ($1::text, 1, 'delete')`,
    [topic],
  )
  await db.database.query(
    `insert into daymark.day_marks (topic, partition, day, high_mark) values ($1::text, 0, '2026-08-01', 1)`,
    [topic],
  )
  const refused = await progress('forget', topic, '--yes')
  assert.equal(refused.exitCode, 2)
  assert.match(refused.stderr, /the broker has it/)
  await topics.admin.deleteTopic(topic)
  const lost = await progress('accept-loss', topic, '0', '--yes')
  assert.match(lost.stderr, /it has none.*progress forget/)
  const forgotten = await progress('forget', topic, '--yes', '--json')
  assert.deepEqual(JSON.parse(forgotten.stdout), {
    schemaVersion: 1,
    topic,
    progress: 1,
    retentions: 1,
    dayMarks: 1,
  })
  const unknown = await progress('forget', topic, '--yes')
  assert.deepEqual([unknown.exitCode, unknown.stdout], [2, ''])
})

test('garbage is refused with 2 and a sentence', async () => {
  for (const [args, message] of [
    [['accept-loss', 'nowhere', '0'], /there is none/],
    [['accept-loss', 'nowhere', 'x'], /expected a partition/],
    [['skip-to', 'nowhere', '0', '1e3'], /expected an offset/],
    [['skip-to', 'nowhere', '0', '9223372036854775808'], /expected an offset/],
    [['skip-to', 'nowhere', '0'], /missing required argument/],
    [['forget'], /missing required argument/],
    [['forget', 'no such topic\u001b[2J', '--yes'], /expected a topic.*no such topic\\x1b\[2J/],
    [['rewind'], /unknown command/],
  ] as const) {
    const { exitCode, stdout, stderr } = await progress(...args)
    assert.deepEqual([exitCode, stdout], [2, ''], `${args.join(' ')}\n${stderr}`)
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /\.ts:/)
  }
})
