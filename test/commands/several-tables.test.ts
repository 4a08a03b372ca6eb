import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runDaymark, startDaymark } from '../support/daymark-process.ts'
import { eventually } from '../support/eventually.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const scratch = makeScratchDirectory()
let db: TestDatabase
let variables: Record<string, string>

const TABLES = [
  { table: 'public.nowhere', retention: '8 days' },
  { table: 'public.healthy', retention: '8 days', runwayDays: 2 },
  { table: 'public.processed_events', retention: '8 days', unpartitioned: { by: 'processed_at' } },
]

before(async () => {
  db = await createTestDatabase()
  variables = { DATABASE_URL: db.settings.url ?? '', DAYMARK_HTTP_PORT: '0' }
  writeFileSync(
    join(scratch.path, 'daymark.config.json'),
    JSON.stringify({ maintenance: { retention: '8 days' }, tables: TABLES }),
  )
  await db.database.query('create table public.healthy (at timestamptz not null) partition by range (at)')
  await db.database.query(
    `create table public.processed_events as
     select i as event_id, now() - i * interval '1 hour' as processed_at from generate_series(1, 500) i`,
  )
  await db.database.query('create index on public.processed_events (processed_at)')
})

after(async () => {
  await db[Symbol.asyncDispose]()
  scratch[Symbol.dispose]()
})

test('plan, apply and status know every table; one that is missing fails alone, and the command at the end', async () => {
  const planned = await runDaymark(['plan'], variables, scratch.path)
  assert.equal(planned.exitCode, 0, planned.stderr)
  for (const line of [
    /^daymark\.processed_events$/m,
    /^ {2}1\. table public\.nowhere does not exist/m,
    /^public\.healthy$/m,
    /^ {2}1\. delete an unknown number of rows|delete about \d+ rows of /m,
  ])
    assert.match(planned.stdout, line)

  const applied = await runDaymark(['apply', '--json'], variables, scratch.path)
  assert.equal(applied.exitCode, 1)
  const { runs } = JSON.parse(applied.stdout)
  assert.deepEqual(
    runs.map(
      (run: { table: string; kind: string; outcome: string }) => `${run.table} ${run.kind} ${run.outcome}`,
    ),
    [
      'daymark.processed_events make done',
      'daymark.processed_events remove already',
      'public.nowhere make refused',
      'public.nowhere remove refused',
      'public.healthy make done',
      'public.healthy remove already',
      'public.processed_events make already',
      'public.processed_events remove done',
    ],
  )
  const { rows } = await db.database.query<{ rows: number }>(
    'select count(*)::integer as rows from public.processed_events',
  )
  assert.ok((rows[0]?.rows ?? 0) >= 192 && (rows[0]?.rows ?? 0) < 192 + 24)

  const status = await runDaymark(['status'], variables, scratch.path)
  assert.equal(status.exitCode, 0, status.stderr)
  assert.match(status.stdout, /^public\.healthy\n {2}fence/m)
  assert.match(
    status.stdout,
    /^public\.processed_events\n {2}form +without partitions: old rows are deleted/m,
  )
})

test('maintain looks after every table, by a schedule for each, and its metrics tell of each', async () => {
  await using daymark = startDaymark(['maintain'], variables, scratch.path)
  const address = await eventually('its address', () => /"address":"([^"]+)"/.exec(daymark.stderr())?.[1])
  await eventually('the start', () => daymark.stderr().includes('"msg":"started"') || undefined)
  const metrics = await (await fetch(new URL('/metrics', address))).text()
  assert.match(metrics, /^daymark_runway_days\{table="public\.healthy"\} 2$/m)
  assert.match(metrics, /^daymark_runway_days\{table="daymark\.processed_events"\} 7$/m)
  assert.match(metrics, /^daymark_table_rows\{table="public\.processed_events"\} \d+$/m)
  assert.doesNotMatch(metrics, /daymark_runway_days\{table="public\.processed_events"\}/)
  assert.equal(metrics.match(/^processed_events_row_count /gm)?.length, 1)
  const { rows } = await db.database.query<{ key: string }>(
    'select key from daymark_pgboss.schedule order by key collate "C"',
  )
  const tables = ['daymark.processed_events', 'public.healthy', 'public.nowhere', 'public.processed_events']
  assert.deepEqual(
    rows.map(({ key }) => key),
    ['make', 'remove'].flatMap((kind) => tables.map((table) => `${kind}/${table}`)),
  )
  daymark.signal('SIGTERM')
  assert.equal((await daymark.ended).exitCode, 0)
})
