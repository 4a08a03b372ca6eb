import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, startOfDay } from '../../src/calendar/period.ts'
import { DEFAULT_POLICY, type Policy } from '../../src/maintenance/policy.ts'
import type { RunReport } from '../../src/maintenance/run.ts'
import { insertDayMarks } from '../../src/maintenance/sql/insert-day-marks.ts'
import {
  daysOf,
  makeOldDay,
  outcomesOf,
  runOnce,
  setFence,
  todayOf,
} from '../maintenance/maintenance-bench.ts'
import { createTestTopic } from '../maintenance/test-topic.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { testKafka } from '../support/test-topic.ts'

const DAY_MS = 86_400_000
const TWO_DAYS = { 'retention.ms': String(2 * DAY_MS) }

/** A table with a day that is past a retention of three days, which two days of the broker come to. */
async function tableWithOldDay(): Promise<{ db: TestDatabase; today: string; old: string; noonMs: number }> {
  const db = await createTestDatabase()
  const today = await todayOf(db.database)
  const old = addDays(today, -5)
  await makeOldDay(db.database, old)
  await setFence(db.database, addDays(old, -1))
  return { db, today, old, noonMs: startOfDay(old) + DAY_MS / 2 }
}

function policyOf(topics: readonly string[], more: Partial<Policy> = {}): Policy {
  return { ...DEFAULT_POLICY, topics, ...more }
}

function remove(db: TestDatabase, policy: Policy, kafka = testKafka()): Promise<RunReport> {
  return runOnce(db, 'remove', policy, {}, kafka)
}

function reasonOf(report: RunReport): string {
  return report.steps[0]?.step.reason ?? ''
}

test('a day stays while the broker still holds a record of it, and goes when that is gone', async () => {
  const { db, old, noonMs } = await tableWithOldDay()
  await using _ = db
  await using topic = await createTestTopic(TWO_DAYS, 2)
  await topic.write([noonMs, noonMs + DAY_MS], 1)
  const kept = await remove(db, policyOf([topic.topic]))
  assert.deepEqual([kept.outcome, kept.steps[0]?.step.kind], ['kept', 'keep-day'])
  assert.match(
    reasonOf(kept),
    new RegExp(`keep ${old} and later: ended 4 d.* ago, but ${topic.topic}\\[1\\] still holds offset 0`),
  )
  assert.ok((await daysOf(db.database)).includes(old))

  await topic.forget('1', 1)
  const gone = await remove(db, policyOf([topic.topic]))
  assert.equal(gone.outcome, 'done', outcomesOf(gone).join('\n'))
  assert.match(
    reasonOf(gone),
    new RegExp(
      `^drop ${old}: ended 4 d.* ago; retention 3 d from ${topic.topic}; broker's oldest record \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d \\(${topic.topic}\\[1\\]\\)$`,
    ),
  )
  assert.ok(!(await daysOf(db.database)).includes(old))
})

test('an old record behind a young one is not overlooked: the mark of the day proves what times cannot', async () => {
  const { db, old, noonMs } = await tableWithOldDay()
  await using _ = db
  await using topic = await createTestTopic(TWO_DAYS)
  await topic.write([noonMs + 2 * DAY_MS, noonMs])
  await insertDayMarks(db.database, topic.topic, old, [{ partition: 0, high: '2' }])
  const kept = await remove(db, policyOf([topic.topic]))
  assert.equal(kept.outcome, 'kept', outcomesOf(kept).join('\n'))
  assert.match(reasonOf(kept), /still holds offsets 0 to 2/)
  await topic.forget('2')
  assert.equal((await remove(db, policyOf([topic.topic]))).outcome, 'done')
})

test('a mark of a topic that was made anew is void', async () => {
  const { db, old } = await tableWithOldDay()
  await using _ = db
  await using topic = await createTestTopic(TWO_DAYS)
  await insertDayMarks(db.database, topic.topic, old, [{ partition: 0, high: '1000' }])
  assert.equal((await remove(db, policyOf([topic.topic]))).outcome, 'done')
})

test('the first run after a day has ended notes how far its topics had come', async () => {
  const { db, today, noonMs } = await tableWithOldDay()
  await using _ = db
  await using topic = await createTestTopic(TWO_DAYS, 2)
  await topic.write([noonMs, noonMs, noonMs], 1)
  await remove(db, policyOf([topic.topic]))
  await topic.write([noonMs], 1)
  await remove(db, policyOf([topic.topic]))
  const { rows } = await db.database.query(
    `select partition, to_char(day, 'YYYY-MM-DD') as day, high_mark from daymark.day_marks order by partition`,
  )
  assert.deepEqual(rows, [
    { partition: 0, day: addDays(today, -1), high_mark: '0' },
    { partition: 1, day: addDays(today, -1), high_mark: '3' },
  ])
})

test('nothing is dropped while the broker cannot be reached, and the topics that hold it are named', async () => {
  const { db, old } = await tableWithOldDay()
  await using _ = db
  await using topic = await createTestTopic(TWO_DAYS)
  // Seen once, so that its retention is known.
  await runOnce(
    db,
    'remove',
    policyOf([topic.topic], { retention: { kind: 'given', ms: 100 * DAY_MS } }),
    {},
    testKafka(),
  )
  const report = await remove(db, policyOf([topic.topic]), { brokers: ['127.0.0.1:1'], clientId: 'daymark' })
  assert.equal(report.outcome, 'kept', outcomesOf(report).join('\n'))
  assert.match(reasonOf(report), new RegExp(`topic ${topic.topic} could not be asked`))
  assert.ok((await daysOf(db.database)).includes(old))
})

test('nothing is dropped for a topic that the broker does not know and nobody has seen', async () => {
  const { db, old } = await tableWithOldDay()
  await using _ = db
  for (const retention of [{ kind: 'from-topics' }, { kind: 'given', ms: 3 * DAY_MS }] as const) {
    const report = await remove(db, policyOf(['never-made'], { retention }))
    assert.equal(report.outcome, 'kept', outcomesOf(report).join('\n'))
    assert.match(reasonOf(report), /topic never-made/)
  }
  assert.ok((await daysOf(db.database)).includes(old))
})

test('a topic that has vanished keeps its last known retention', async () => {
  const { db, old, noonMs } = await tableWithOldDay()
  await using _ = db
  await using topic = await createTestTopic(TWO_DAYS)
  await topic.write([noonMs])
  const policy = policyOf([topic.topic])
  await remove(db, policy)
  await topic.admin.deleteTopic(topic.topic)
  const kept = await remove(db, policy)
  assert.equal(kept.outcome, 'kept', outcomesOf(kept).join('\n'))
  assert.match(reasonOf(kept), /has vanished and could still hold it for 1 d 23 h/)
  await db.database.query(
    `update daymark.topic_retentions set seen_at = seen_at - interval '2 days 1 minute'`,
  )
  const gone = await remove(db, policy)
  assert.deepEqual(outcomesOf(gone), [`remove-day ${old} done`])
})

test('a topic without limit, or compacted only, keeps every day by its own retention', async () => {
  const { db, old } = await tableWithOldDay()
  await using _ = db
  for (const settings of [{ 'retention.ms': '-1' }, { ...TWO_DAYS, 'cleanup.policy': 'compact' }]) {
    await using topic = await createTestTopic(settings)
    const report = await remove(db, policyOf([topic.topic]))
    assert.equal(report.outcome, 'kept')
    assert.match(reasonOf(report), new RegExp(`topic ${topic.topic} keeps its records without limit`))
  }
  assert.ok((await daysOf(db.database)).includes(old))
})

test('a retention of the operator’s own lets the days of a topic without limit go, and the fence is named', async () => {
  const { db, old, noonMs } = await tableWithOldDay()
  await using _ = db
  await using topic = await createTestTopic({ 'retention.ms': '-1' })
  await topic.write([noonMs])
  const report = await remove(db, policyOf([topic.topic], { retention: { kind: 'given', ms: 4 * DAY_MS } }))
  assert.deepEqual(outcomesOf(report), [`remove-day ${old} done`])
  assert.match(reasonOf(report), /keeps its records without limit, and the fence refuses those of that day/)
})

test('of several topics the longest retention rules, and the plan says whose it is', async () => {
  const { db, old } = await tableWithOldDay()
  await using _ = db
  await using short = await createTestTopic(TWO_DAYS)
  await using long = await createTestTopic({ 'retention.ms': String(3 * DAY_MS) })
  const report = await remove(db, policyOf([short.topic, long.topic]))
  assert.deepEqual(outcomesOf(report), [`remove-day ${old} done`])
  assert.match(reasonOf(report), new RegExp(`retention 4 d from ${long.topic}`))
})

test('a topic that only its consumers know of counts too', async () => {
  const { db, noonMs } = await tableWithOldDay()
  await using _ = db
  await using topic = await createTestTopic(TWO_DAYS)
  await topic.write([noonMs])
  await db.database.query(
    `insert into daymark.consumer_progress (consumer_group, topic, partition, next_offset) values ('group', $1::text, 0, 1)`,
    [topic.topic],
  )
  const report = await remove(db, policyOf([]))
  assert.equal(report.outcome, 'kept', outcomesOf(report).join('\n'))
  assert.match(reasonOf(report), new RegExp(`${topic.topic}\\[0\\] still holds offset 0`))
})

test('a given retention that a topic has outgrown drops nothing until it covers the topic', async () => {
  const { db, old } = await tableWithOldDay()
  await using _ = db
  await using topic = await createTestTopic({ 'retention.ms': String(20 * DAY_MS) })
  const report = await remove(db, policyOf([topic.topic], { retention: { kind: 'given', ms: 4 * DAY_MS } }))
  assert.equal(report.outcome, 'kept')
  assert.match(
    reasonOf(report),
    new RegExp(`retention of 4 d is shorter than the 22 d that topic ${topic.topic} needs`),
  )
  assert.ok((await daysOf(db.database)).includes(old))
})
