import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError } from '../../src/configuration/config-error.ts'
import type { Configuration, Need } from '../../src/configuration/configuration.ts'
import { loadConfiguration } from '../../src/configuration/load-configuration.ts'
import type { Source } from '../../src/configuration/source.ts'

type Given = {
  readonly flags?: Source['flags']
  readonly variables?: Source['variables']
  readonly content?: unknown
  readonly needs?: readonly Need[]
}

function load({ flags = {}, variables = {}, content, needs = [] }: Given): Configuration {
  const file = content === undefined ? null : { path: '/etc/daymark/daymark.config.json', content }
  return loadConfiguration({ flags, variables, file, directory: '/etc/daymark' }, needs).configuration
}

function complaintsOf(given: Given): readonly string[] {
  try {
    load(given)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.complaints
  }
  return []
}

test('without anything the defaults hold, and there is neither Kafka nor a consumer', () => {
  const configuration = load({})
  assert.equal(configuration.kafka, null)
  assert.equal(configuration.consumer, null)
  assert.equal(configuration.database.schema, 'daymark')
  assert.deepEqual(configuration.policies[0]?.retention, { kind: 'from-topics' })
  assert.equal(configuration.http.host, '127.0.0.1')
})

test('a flag comes before a variable, a variable before the file, the file before the default', () => {
  const content = { log: { level: 'error' }, consumer: { batchRows: 5 } }
  assert.equal(load({ content }).log.level, 'error')
  assert.equal(load({ content, variables: { LOG_LEVEL: 'warn' } }).log.level, 'warn')
  const flags = { 'log.level': 'debug' }
  assert.equal(load({ content, variables: { LOG_LEVEL: 'warn' }, flags }).log.level, 'debug')
})

test('a consumer is made from the file and the environment together', () => {
  const { consumer, kafka, handlerPath } = load({
    content: {
      consumer: { group: 'ledger-writer', handler: 'effect.sql', overlap: '1h', eventId: 'header:ce_id' },
    },
    variables: {
      KAFKA_TOPICS: 'payments, refunds',
      KAFKA_BROKERS: 'a:9092,b:9092',
      DAYMARK_CONSUMER_BATCH_ROWS: '50',
    },
  })
  assert.deepEqual(kafka, { brokers: ['a:9092', 'b:9092'], clientId: 'daymark' })
  assert.deepEqual(consumer?.topics, ['payments', 'refunds'])
  assert.deepEqual(consumer?.eventId, { kind: 'header', name: 'ce_id' })
  assert.equal(consumer?.overlapMs, 3_600_000)
  assert.equal(consumer?.batchRows, 50)
  assert.equal(handlerPath, '/etc/daymark/effect.sql')
})

test('the result is frozen, also inside', () => {
  const configuration = load({ variables: { KAFKA_BROKERS: 'a:1' } })
  assert.ok(Object.isFrozen(configuration))
  assert.ok(Object.isFrozen(configuration.kafka?.brokers))
})

test('an empty variable counts as absent', () => {
  assert.equal(load({ variables: { LOG_LEVEL: '', KAFKA_BROKERS: '' } }).kafka, null)
})

test('markers by the id keep a day longer for what is published late', () => {
  assert.equal(load({}).policies[0]?.maxPublishDelayMs, 0)
  const content = { consumer: { markerDay: 'event-id' } }
  assert.equal(load({ content }).policies[0]?.maxPublishDelayMs, 86_400_000)
})

test('SASL and TLS come from the names that people know', () => {
  const { kafka } = load({
    variables: {
      KAFKA_BOOTSTRAP_SERVERS: 'a:1',
      KAFKA_TLS_ENABLED: 'true',
      KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
      KAFKA_SASL_USERNAME: 'u',
      KAFKA_SASL_PASSWORD: 'p',
    },
  })
  assert.deepEqual(kafka?.tls, {})
  assert.deepEqual(kafka?.sasl, { mechanism: 'scram-sha-512', username: 'u', password: 'p' })
})

test('everything that is wrong is said at once', () => {
  const complaints = complaintsOf({
    content: { consumer: { batchRow: 1, overlap: '13 hours' }, maintenance: { retention: 8 } },
    variables: { DAYMARK_CONSUMER_BATCH_ROWS: 'many', LOG_LEVEL: 'loud' },
    needs: ['kafka', 'consumer'],
  })
  assert.deepEqual(complaints, [
    "expected a setting, got 'consumer.batchRow' (from daymark.config.json): did you mean 'consumer.batchRows'?",
    "expected consumer.overlap to be a duration with its unit, from 0 ms to 12 hours, such as '15 minutes', got '13 hours' (from daymark.config.json)",
    "expected DAYMARK_CONSUMER_BATCH_ROWS to be a whole number from 1 to 100000, got 'many' (from the environment)",
    "expected maintenance.retention to be 'from-topics' or a duration with its unit, from 1 day to 3650 days, such as '8 days', got 8 (from daymark.config.json)",
    "expected LOG_LEVEL to be 'debug', 'info', 'warn', 'error' or 'silent', got 'loud' (from the environment)",
    "expected KAFKA_BROKERS (kafka.brokers) to be brokers with their ports, such as 'kafka-1:9092,kafka-2:9092', got nothing: this command reads from Kafka",
    "expected KAFKA_GROUP_ID (consumer.group) to be the name of a consumer group, such as 'ledger-writer', got nothing: this command consumes",
    "expected KAFKA_TOPICS (consumer.topics) to be topics, such as 'payments,refunds', got nothing: this command consumes",
    "expected DAYMARK_CONSUMER_HANDLER (consumer.handler) to be the path of a module or of an SQL file, such as 'handler.ts' or 'effect.sql', got nothing: this command consumes",
  ])
})

test('a bare number is no duration: whoever writes 8 means days', () => {
  for (const text of ['8', '0', '-1', '', ' ', '8 fortnights', '1e3', 'days']) {
    const complaints = complaintsOf({ content: { maintenance: { retention: text } } })
    assert.equal(complaints.length, 1, text)
    assert.match(complaints[0] ?? '', /such as '8 days'/)
  }
})

test('options that would commit an offset too early are refused by name, with the reason', () => {
  for (const [name, value] of Object.entries({
    autoCommit: true,
    eachBatchAutoResolve: true,
    fromBeginning: false,
    allowAutoTopicCreation: true,
  })) {
    const [complaint = '', ...others] = complaintsOf({ content: { kafka: { consumer: { [name]: value } } } })
    assert.deepEqual(others, [])
    assert.match(
      complaint,
      new RegExp(`expected kafka\\.consumer\\.${name} to be ${!value}: .+, got ${value}`),
    )
    assert.deepEqual(complaintsOf({ content: { kafka: { consumer: { [name]: !value } } } }), [])
  }
})

test('the same options in another place are unknown, with a hint at their own', () => {
  assert.deepEqual(complaintsOf({ content: { consumer: { autoCommit: true } } }), [
    "expected a setting, got 'consumer.autoCommit' (from daymark.config.json): did you mean 'kafka.consumer.autoCommit'?",
  ])
})

test('an unknown variable of a section is an error, and what Kubernetes writes is not', () => {
  assert.deepEqual(complaintsOf({ variables: { DAYMARK_CONSUMER_BATCHROWS: '1' } }), [
    "expected a variable of daymark, got 'DAYMARK_CONSUMER_BATCHROWS' (from the environment): did you mean 'DAYMARK_CONSUMER_BATCH_ROWS'?",
  ])
  assert.deepEqual(
    complaintsOf({ variables: { DAYMARK_SERVICE_HOST: '10.0.0.1', DAYMARK_PORT: 'tcp://10.0.0.1:80' } }),
    [],
  )
})

test('a file that is no object, or a section that is none, is said to be so', () => {
  assert.deepEqual(complaintsOf({ content: [1] }), [
    'expected daymark.config.json to be an object, got [1] (from daymark.config.json)',
  ])
  assert.deepEqual(complaintsOf({ content: { kafka: 'a:9092' } }), [
    'expected kafka to be an object, got "a:9092" (from daymark.config.json)',
  ])
})

test('a secret in the file is refused, and shown nowhere', () => {
  const content = { kafka: { sasl: { username: 'u', password: 'hunter2' } } }
  const complaints = complaintsOf({ content })
  assert.deepEqual(complaints, [
    'expected kafka.sasl.password to come from KAFKA_SASL_PASSWORD or KAFKA_SASL_PASSWORD_FILE, got it from daymark.config.json',
  ])
})

test('a password inside a connection string is masked in complaints', () => {
  const [complaint = ''] = complaintsOf({
    variables: { DATABASE_URL: 'mysql://app:hunter2@db/x?password=hunter2' },
  })
  assert.match(complaint, /got mysql:\/\/app:\*\*\*\*@db\/x\?password=\*\*\*\*/)
  assert.doesNotMatch(complaint, /hunter2/)
  const [other = ''] = complaintsOf({ variables: { DATABASE_URL: 'app:hunter2@db' } })
  assert.doesNotMatch(other, /hunter2/)
})

test('a secret may stand in a file of its own, without the newline at its end', () => {
  const directory = mkdtempSync(join(tmpdir(), 'daymark-configuration-'))
  try {
    const path = join(directory, 'url')
    writeFileSync(path, 'postgres://app:pw@db/x\n')
    assert.equal(load({ variables: { DATABASE_URL_FILE: path } }).database.url, 'postgres://app:pw@db/x')
    assert.deepEqual(
      complaintsOf({ variables: { DATABASE_URL_FILE: path, DATABASE_URL: 'postgres://x/y' } }),
      ['expected DATABASE_URL or DATABASE_URL_FILE, got both (from the environment)'],
    )
    assert.match(complaintsOf({ variables: { DATABASE_URL_FILE: `${path}.absent` } })[0] ?? '', /ENOENT/)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('an address that others can reach asks for a user and a password', () => {
  const needs = ['http'] as const
  assert.deepEqual(complaintsOf({ content: { http: { host: '127.0.0.2' } }, needs }), [])
  assert.equal(complaintsOf({ content: { http: { host: '0.0.0.0' } }, needs }).length, 2)
  const variables = { DAYMARK_HTTP_USER: 'ops', DAYMARK_HTTP_PASSWORD: 'pw' }
  assert.deepEqual(load({ content: { http: { host: '0.0.0.0' } }, variables, needs }).http.credentials, {
    user: 'ops',
    password: 'pw',
  })
})

test('halves of a pair are refused', () => {
  assert.match(
    complaintsOf({ variables: { KAFKA_SASL_USERNAME: 'u' } })[0] ?? '',
    /KAFKA_SASL_PASSWORD.*got nothing/,
  )
  assert.match(
    complaintsOf({ variables: { DAYMARK_HTTP_PASSWORD: 'p' } })[0] ?? '',
    /DAYMARK_HTTP_USER.*got nothing/,
  )
})

test('values out of their range or of another kind are refused with the shape', () => {
  const bad: readonly [object, RegExp][] = [
    [{ consumer: { batchRows: 0 } }, /batchRows to be a whole number from 1/],
    [{ consumer: { batchRows: 1.5 } }, /batchRows to be a whole number from 1/],
    [{ consumer: { batchRows: null } }, /batchRows .* got null/],
    [{ consumer: { topics: [] } }, /topics to be topics, such as/],
    [{ consumer: { topics: ['a b', 'c d'] } }, /got \["a b","c d"\]/],
    [{ consumer: { handler: 'handler.py' } }, /handler to be the path/],
    [{ consumer: { eventId: 'header:' } }, /eventId to be 'key' or 'header:NAME'/],
    [{ consumer: { deadLetterLimit: 2 } }, /deadLetterLimit to be a number from 0 to 1/],
    [{ kafka: { brokers: 'a:9092' } }, /brokers to be brokers with their ports/],
    [{ kafka: { brokers: ['a'] } }, /brokers to be brokers with their ports/],
    [{ http: { port: 70_000 } }, /port to be a port from 0 to 65535/],
    [{ database: { schema: '' } }, /schema to be a name of 1 to 43/],
    [{ database: { schema: 'Day mark' } }, /schema to be a name of 1 to 43/],
  ]
  for (const [content, expected] of bad) {
    const complaints = complaintsOf({ content })
    assert.equal(complaints.length, 1, JSON.stringify(content))
    assert.match(complaints[0] ?? '', expected)
  }
})
