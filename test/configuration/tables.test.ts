import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '../../src/configuration/config-error.ts'
import type { Need } from '../../src/configuration/configuration.ts'
import { loadConfiguration } from '../../src/configuration/load-configuration.ts'
import { parseTableName } from '../../src/configuration/table-name.ts'
import { type Policy, tableOf } from '../../src/maintenance/policy.ts'

const DAY_MS = 86_400_000

function load(tables: unknown, needs: readonly Need[] = []): readonly Policy[] {
  const file = {
    path: '/etc/daymark/daymark.config.json',
    content: { tables, maintenance: { retention: '9 days' } },
  }
  const source = { flags: {}, variables: {}, file, directory: '/etc/daymark' }
  return loadConfiguration(source, needs).configuration.policies
}

function complaintsOf(tables: unknown, needs: readonly Need[] = []): readonly string[] {
  try {
    load(tables, needs)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.complaints
  }
  return []
}

test('each table becomes a policy behind that of the marker table, with defaults of its own', () => {
  const [marker, events, audit] = load([
    { table: 'public.events', retention: '8 days', runwayDays: 3, maxDropsPerRun: 5 },
    { table: 'Audit."log.2"', topics: ['payments'], unpartitioned: { by: 'processed_at' } },
  ])
  assert.deepEqual(marker?.retention, { kind: 'given', ms: 9 * DAY_MS })
  assert.deepEqual(events, {
    schema: 'public',
    table: 'events',
    topics: [],
    unpartitioned: null,
    retention: { kind: 'given', ms: 8 * DAY_MS },
    runwayDays: 3,
    maxDaysBack: 45,
    maxDropsPerRun: 5,
    keepDetachedMs: 0,
    stallBudgetMs: 100,
    maxPublishDelayMs: 0,
  })
  assert.deepEqual(
    [audit?.schema, audit?.table, audit?.unpartitioned],
    ['Audit', 'log.2', { by: 'processed_at' }],
  )
  assert.deepEqual(audit?.retention, { kind: 'from-topics' })
})

test('how long days are parked counts for every table that says nothing else', () => {
  const file = {
    path: '/etc/daymark/daymark.config.json',
    content: {
      tables: [
        { table: 'public.events', retention: '8 days' },
        { table: 'public.audit', retention: '8 days', keepDetached: '1 hour' },
      ],
    },
  }
  const source = {
    flags: { 'maintenance.keepDetached': '24h' },
    variables: {},
    file,
    directory: '/etc/daymark',
  }
  const { policies } = loadConfiguration(source, []).configuration
  assert.deepEqual(
    policies.map(({ keepDetachedMs }) => keepDetachedMs),
    [DAY_MS, DAY_MS, 3_600_000],
  )
})

test('a name may have any letters, and quotes where it has a dot', () => {
  assert.deepEqual(parseTableName('public.Événements'), { schema: 'public', table: 'Événements' })
  assert.deepEqual(parseTableName('"a.b"."say ""hi"""'), { schema: 'a.b', table: 'say "hi"' })
  assert.deepEqual(parseTableName(`public.${'x'.repeat(63)}`)?.table.length, 63)
  for (const wrong of ['events', 'a.b.c', 'public.', '.events', 'public."events', `public.${'ä'.repeat(32)}`])
    assert.equal(parseTableName(wrong), null, wrong)
})

test('two tables whose names run together are told apart', () => {
  assert.notEqual(tableOf({ schema: 'a.b', table: 'c' }), tableOf({ schema: 'a', table: 'b.c' }))
})

test('a complaint says which table and which of its settings', () => {
  assert.deepEqual(
    complaintsOf([
      { table: 'events', retention: '8 days' },
      { table: 'public.audit', retention: 8 },
      { table: 'public.late' },
      { table: 'public.typo', retentoin: '8 days', topics: ['t'] },
      'public.text',
    ]),
    [
      `expected tables[0].table to be 'schema.table', each name of at most 63 bytes and in double quotes where it has a dot, got "events" (from daymark.config.json)`,
      `expected tables[1].retention to be 'from-topics' or a duration with its unit, from 1 day to 3650 days, such as '8 days', got 8 (from daymark.config.json)`,
      'expected tables[2].topics to be the topics that feed it, at least one where the retention comes from them, got nothing (from daymark.config.json)',
      `expected a setting of tables[3], got 'retentoin' (from daymark.config.json): did you mean 'retention'?`,
      'expected tables[4] to be an object with a table, got "public.text" (from daymark.config.json)',
    ],
  )
  assert.match(complaintsOf('public.events').join(), /^expected tables to be a list of tables such as/)
})

test('the tables of pg-boss, and one named twice, are refused by name', () => {
  const given = (table: string) => ({ table, retention: '8 days' })
  const tables = [
    'daymark_pgboss.job',
    'pgboss.job',
    'daymark.processed_events',
    'a.b',
    'a.b',
    'pg_catalog.pg_class',
  ]
  const complaints = complaintsOf(tables.map(given))
  assert.deepEqual(
    complaints.map((text) => text.replace(/ \(from.*/, '')),
    [
      `expected tables[0].table to be none of pg-boss's, which cares for its own, got 'daymark_pgboss.job'`,
      `expected tables[1].table to be none of pg-boss's, which cares for its own, got 'pgboss.job'`,
      `expected tables[2].table to be named once, got 'daymark.processed_events' again`,
      `expected tables[4].table to be named once, got 'a.b' again`,
      `expected tables[5].table to be a table of yours, got 'pg_catalog.pg_class'`,
    ],
  )
})

test('a retention from topics needs brokers', () => {
  const tables = [{ table: 'public.events', topics: ['payments'] }]
  assert.match(complaintsOf(tables, ['replay-horizon']).join(), /KAFKA_BROKERS.+one of the tables/)
  assert.deepEqual(complaintsOf([{ table: 'public.events', retention: '8 days' }], ['replay-horizon']), [])
})
