import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type DaymarkProcess, runDaymark, startDaymark } from '../support/daymark-process.ts'
import { eventually } from '../support/eventually.ts'
import { eventIds, payment } from '../support/payments.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createTestTopics, type TestTopics } from '../support/test-topic.ts'

const EFFECT = fileURLToPath(new URL('../../examples/payments/effect.sql', import.meta.url))
const LEDGER = readFileSync(new URL('../../examples/payments/ledger_entries.sql', import.meta.url), 'utf8')
const SEVEN_DAYS = { 'retention.ms': '604800000' }

let db: TestDatabase
let topics: TestTopics

before(async () => {
  db = await createTestDatabase()
  topics = await createTestTopics()
  await db.database.query(LEDGER)
})

after(async () => {
  await topics[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

/** What a consuming process is given; the group is named after the topic, so that each test has its own. */
function variablesFor(topic: string, handler = EFFECT): Record<string, string> {
  return {
    DATABASE_URL: db.settings.url ?? '',
    KAFKA_BROKERS: topics.kafka.brokers.join(','),
    KAFKA_GROUP_ID: `group-of-${topic}`,
    KAFKA_TOPICS: topic,
    DAYMARK_CONSUMER_HANDLER: handler,
    DAYMARK_HTTP_PORT: '0',
  }
}

/** Where it serves, read from its log. */
function addressOf(daymark: DaymarkProcess): Promise<string> {
  return eventually('its address in the log', () => /"address":"([^"]+)"/.exec(daymark.stderr())?.[1])
}

async function get(address: string, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(new URL(path, address))
  return { status: response.status, text: await response.text() }
}

test('run consumes, maintains and serves, and ends with 0 after a SIGTERM', async () => {
  const topic = await topics.create(2, SEVEN_DAYS)
  const ids = eventIds('run', 200)
  await topics.producer.send(
    topic,
    [...ids, ...ids.slice(0, 3)].map((id) => payment(id)),
  )
  await using daymark = startDaymark(['run'], variablesFor(topic))
  const address = await addressOf(daymark)
  await eventually('200 events in the metrics', async () => {
    const { text } = await get(address, '/metrics')
    return text.includes('\nevents_handled_total{outcome="processed"} 200\n')
  })
  const metrics = (await get(address, '/metrics')).text
  assert.match(metrics, /^events_handled_total\{outcome="duplicate"\} 3$/m)
  assert.match(metrics, /^event_handle_duration_seconds_count [1-9]/m)
  assert.match(metrics, new RegExp(`^kafka_topic_retention_seconds\\{topic="${topic}"\\} 604800$`, 'm'))
  assert.match(metrics, /^daymark_runway_days\{table="daymark\.processed_events"\} 7$/m)
  assert.match(metrics, /^daymark_maintenance_runs_total\{.*kind="make",outcome="done"\} 1$/m)
  assert.deepEqual(await get(address, '/livez'), { status: 200, text: 'ok\n' })
  const ready = await get(address, '/readyz?verbose')
  assert.equal(ready.status, 200, ready.text)

  daymark.signal('SIGTERM')
  const ended = await daymark.ended
  assert.deepEqual([ended.exitCode, ended.stdout], [0, ''])
  const { rows } = await db.database.query<{ entries: string }>(
    'select count(*) as entries from ledger_entries',
  )
  assert.equal(rows[0]?.entries, '200')
  const committed = await topics.admin.fetchCommittedOffsets(`group-of-${topic}`, topic)
  assert.equal(
    committed.reduce((sum, { offset }) => sum + Number(offset), 0),
    203,
  )
})

test('a second signal ends the process at once, whatever the handler does', async () => {
  using scratch = makeScratchDirectory()
  const handler = join(scratch.path, 'handler.mjs')
  writeFileSync(
    handler,
    'export const handler = { apply: () => new Promise(() => console.error("hangs")) }\n',
  )
  const topic = await topics.create(1, SEVEN_DAYS)
  await topics.producer.send(topic, [payment('evt-42')])
  await using daymark = startDaymark(['consume'], variablesFor(topic, handler))
  await eventually('the handler to hang', () => daymark.stderr().includes('hangs'))
  daymark.signal('SIGINT')
  await eventually('the first signal to be heard', () => daymark.stderr().includes('a second signal ends'))
  let ended: number | null | undefined
  daymark.ended.then(({ exitCode }) => {
    ended = exitCode
  })
  // What npm passes on of the first one comes at once, and is no second wish.
  await eventually('the second signal to count', () => {
    daymark.signal('SIGINT')
    return ended !== undefined
  })
  assert.equal(ended, 130)
})

test('maintain looks after the table without a consumer, and ends with 0 after a SIGINT', async () => {
  await using own = await createTestDatabase()
  const variables = {
    MAINTENANCE_DATABASE_URL: own.settings.url ?? '',
    KAFKA_BROKERS: topics.kafka.brokers.join(','),
    KAFKA_TOPICS: await topics.create(1, SEVEN_DAYS),
  }
  await using daymark = startDaymark(['maintain', '--http-port', '0'], variables)
  const address = await addressOf(daymark)
  await eventually('readiness', async () => (await get(address, '/readyz')).status === 200)
  daymark.signal('SIGINT')
  assert.equal((await daymark.ended).exitCode, 0)
  const { rows } = await own.database.query(
    `select from daymark.maintained_tables where made_at is not null and dropped_through is not null`,
  )
  assert.equal(rows.length, 1)
})

test('a consumer is not ready while tomorrow has no partition, and alive all the same', async () => {
  await using own = await createTestDatabase()
  await own.database.query(LEDGER)
  const { rows } = await own.database.query<{ drop: string }>(
    `select format('drop table %s', c.oid::regclass) as drop
       from pg_inherits i
       join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'daymark.processed_events'::regclass
        and c.relname > 'processed_events_' || to_char(now() at time zone 'UTC', 'YYYY_MM_DD')`,
  )
  for (const row of rows) await own.database.query(row.drop)
  const topic = await topics.create(1, SEVEN_DAYS)
  const variables = { ...variablesFor(topic), DATABASE_URL: own.settings.url ?? '' }
  await using daymark = startDaymark(['consume'], variables)
  const address = await addressOf(daymark)
  await eventually('readiness to say so', async () =>
    (await get(address, '/readyz?verbose')).text.includes('there is no partition for tomorrow'),
  )
  assert.equal((await get(address, '/readyz')).status, 503)
  assert.equal((await get(address, '/livez')).status, 200)
})

test('what has to be set otherwise ends a start with 2 and one sentence', async () => {
  const topic = await topics.create(1, SEVEN_DAYS)
  const good = variablesFor(topic)
  for (const [change, sentence] of [
    [{ KAFKA_TOPICS: 'absent-topic' }, /a topic is not there\. Create it, or correct KAFKA_TOPICS/],
    [
      { DAYMARK_CONSUMER_HANDLER: '/nowhere/handler.ts' },
      /^daymark: loading the handler \/nowhere\/handler\.ts: /,
    ],
    [{ DAYMARK_CONSUMER_HANDLER: '/nowhere/effect.sql' }, /^daymark: reading the effect statement .+ENOENT/],
    [{ DAYMARK_MAINTENANCE_RETENTION: '3 days' }, /the retention of 3 d is shorter than the 8 d that topic/],
    [
      { DAYMARK_KAFKA_CONSUMER_AUTO_COMMIT: 'true' },
      /expected DAYMARK_KAFKA_CONSUMER_AUTO_COMMIT to be false: an offset/,
    ],
    [{ DAYMARK_HTTP_HOST: '0.0.0.0' }, /expected DAYMARK_HTTP_USER .+'0\.0\.0\.0', which others can reach/],
  ] as const) {
    const ended = await runDaymark(['consume', '--log-level', 'silent'], { ...good, ...change })
    assert.deepEqual([ended.exitCode, ended.stdout], [2, ''], JSON.stringify(change))
    assert.match(ended.stderr, sentence)
  }
})

test('a port that is taken, and a broker that is away, are a sentence and exit code 2', async () => {
  const topic = await topics.create(1, SEVEN_DAYS)
  await using first = startDaymark(['maintain'], variablesFor(topic))
  const { port } = new URL(await addressOf(first))
  const second = await runDaymark(
    ['maintain', '--http-port', port, '--log-level', 'silent'],
    variablesFor(topic),
  )
  assert.equal(second.exitCode, 2)
  assert.match(
    second.stderr,
    /^daymark: listening on 127\.0\.0\.1:\d+ for health and metrics: the port is taken\..+\n$/,
  )
  const away = {
    ...variablesFor(topic),
    KAFKA_BROKERS: `127.0.0.1:${port}`,
    DAYMARK_MAINTENANCE_RETENTION: '8 days',
  }
  const ended = await runDaymark(['consume', '--log-level', 'silent'], away)
  assert.equal(ended.exitCode, 2)
  assert.match(ended.stderr, /^daymark: connecting to Kafka at 127\.0\.0\.1:\d+: .+\n$/)
})
