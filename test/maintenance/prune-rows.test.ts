import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, dayOf, startOfDay } from '../../src/calendar/period.ts'
import { maintain } from '../../src/maintenance/maintain.ts'
import { silentObserver } from '../../src/maintenance/maintenance-observer.ts'
import { DEFAULT_POLICY, type Policy } from '../../src/maintenance/policy.ts'
import { planTable } from '../../src/maintenance/table-plan.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { testKafka } from '../support/test-topic.ts'
import { partsOf, runOnce, todayOf } from './maintenance-bench.ts'
import { createTestTopic } from './test-topic.ts'

const DAY_MS = 86_400_000

/** The first form of the runbook's table. */
const UNPARTITIONED: Policy = {
  ...DEFAULT_POLICY,
  schema: 'public',
  unpartitioned: { by: 'processed_at' },
  retention: { kind: 'given', ms: 8 * DAY_MS },
}

/** Makes the runbook's table, with a row for each minute back from now. */
async function makeTable(db: TestDatabase, rows: number, isIndexed = true): Promise<void> {
  await db.database.query(`create table public.processed_events (consumer_group text not null, event_id text not null,
    topic text not null, partition int not null, "offset" bigint not null,
    processed_at timestamptz not null default now(), primary key (consumer_group, event_id))`)
  if (isIndexed) await db.database.query('create index on public.processed_events (processed_at)')
  await db.database.query(
    `insert into public.processed_events
     select 'ledger-writer', 'evt-' || i, 'payments', 0, i, now() - i * interval '1 minute' from generate_series(1, $1::integer) i`,
    [rows],
  )
  await db.database.query('analyze public.processed_events')
}

async function countsOf(db: TestDatabase): Promise<{ old: number; young: number }> {
  const { rows } = await db.database.query<{ old: number; young: number }>(
    `select count(*) filter (where processed_at < date_trunc('day', now() - interval '8 days', 'UTC'))::integer as old,
            count(*) filter (where processed_at >= date_trunc('day', now() - interval '8 days', 'UTC'))::integer as young
       from public.processed_events`,
  )
  return rows[0] ?? { old: -1, young: -1 }
}

test('old rows are deleted in batches of ten thousand, the young ones stay, and a second run finds nothing', async () => {
  await using db = await createTestDatabase()
  await makeTable(db, 40_000)
  const before = await countsOf(db)
  const batches: number[] = []
  const parts = {
    ...partsOf(db),
    observer: {
      ...silentObserver,
      rowsPruned: ({ batchRows }: { batchRows: number }) => batches.push(batchRows),
    },
  }
  const run = { kind: 'remove', trigger: 'command', signal: new AbortController().signal } as const
  const report = await maintain(parts, UNPARTITIONED, run)
  assert.equal(report.outcome, 'done', JSON.stringify(report))
  assert.deepEqual(await countsOf(db), { old: 0, young: before.young })
  assert.deepEqual([batches[0], batches[1], batches.length], [10_000, 10_000, 3])
  const { rows } = await db.database.query<{ reason: string }>(
    `select reason from daymark.maintenance_runs where step = 'prune' and outcome = 'done'`,
  )
  assert.match(rows[0]?.reason ?? '', new RegExp(`; ${before.old} went$`))
  const again = await runOnce(db, 'remove', UNPARTITIONED)
  assert.deepEqual([again.outcome, again.steps.length], ['already', 0])
  assert.equal((await runOnce(db, 'make', UNPARTITIONED)).outcome, 'already')
})

test('a plan tells about how many rows would go, shows the statement, and deletes none', async () => {
  await using db = await createTestDatabase()
  await makeTable(db, 40_000)
  const before = await countsOf(db)
  const { steps } = await planTable(partsOf(db), UNPARTITIONED)
  const [step] = steps
  assert.ok(step?.kind === 'prune')
  assert.ok(Math.abs((step.estimatedRows ?? 0) - before.old) < 100, step.reason)
  assert.match(step.sql[0] ?? '', /^delete from "public"\."processed_events"\n where ctid = any \(array\(/)
  assert.match(step.sql[0] ?? '', /order by "processed_at"\n\s+limit 10000\)\)$/)
  assert.deepEqual(await countsOf(db), before)
  const { rows } = await db.database.query<{ 'QUERY PLAN': string }>(`explain ${step.batch}`)
  const text = rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(text, /Tid Scan on processed_events/)
  assert.doesNotMatch(text, /Seq Scan/)
})

test('a run that is stopped ends after the batch in hand, and the next goes on with what is left', async () => {
  await using db = await createTestDatabase()
  await makeTable(db, 40_000)
  const before = await countsOf(db)
  const stopping = new AbortController()
  const parts = { ...partsOf(db), observer: { ...silentObserver, rowsPruned: () => stopping.abort() } }
  const report = await maintain(parts, UNPARTITIONED, {
    kind: 'remove',
    trigger: 'command',
    signal: stopping.signal,
  })
  assert.equal(report.outcome, 'waiting')
  assert.deepEqual(await countsOf(db), { old: before.old - 10_000, young: before.young })
  assert.equal((await runOnce(db, 'remove', UNPARTITIONED)).outcome, 'done')
  assert.deepEqual(await countsOf(db), { old: 0, young: before.young })
})

test('a table without the index is refused with the statement that makes it', async () => {
  await using db = await createTestDatabase()
  await makeTable(db, 20_000, false)
  const before = await countsOf(db)
  const report = await runOnce(db, 'remove', UNPARTITIONED)
  assert.equal(report.outcome, 'refused')
  assert.match(
    report.steps[0]?.step.reason ?? '',
    /`create index concurrently on "public"\."processed_events" \("processed_at"\)`/,
  )
  assert.deepEqual(await countsOf(db), before)
})

test('a table that is missing, partitioned, or without such a column is refused by name', async () => {
  await using db = await createTestDatabase()
  await db.database.query('create table public.events (id bigint, at text)')
  const reasonOf = async (more: Partial<Policy>): Promise<string> => {
    const { outcome, steps } = await runOnce(db, 'remove', { ...UNPARTITIONED, ...more })
    assert.equal(outcome, 'refused')
    return steps[0]?.step.reason ?? ''
  }
  assert.match(await reasonOf({ table: 'nowhere' }), /^table public\.nowhere does not exist/)
  assert.match(await reasonOf({ schema: 'daymark' }), /^table daymark\.processed_events is partitioned/)
  assert.match(await reasonOf({ table: 'events' }), /^table public\.events has no column processed_at/)
  assert.match(
    await reasonOf({ table: 'events', unpartitioned: { by: 'at' } }),
    /^column at of table public\.events is of type text: expected date, timestamp or timestamptz$/,
  )
})

test('nothing is deleted while a topic could deliver it again, and that is said', async () => {
  await using db = await createTestDatabase()
  await makeTable(db, 20_000)
  const before = await countsOf(db)
  const policy: Policy = { ...UNPARTITIONED, topics: ['payments'] }
  const report = await runOnce(db, 'remove', policy)
  assert.equal(report.outcome, 'kept')
  assert.match(report.steps[0]?.step.reason ?? '', /^keep the rows of \S+: topic payments could not be asked/)
  assert.deepEqual(await countsOf(db), before)
  const unknown = await runOnce(db, 'remove', { ...policy, retention: { kind: 'from-topics' } })
  assert.match(
    unknown.steps[0]?.step.reason ?? '',
    /^nothing is deleted: the retention of topic payments is not known/,
  )
})

test('only whole days go: the first row that stays is of the day that the retention reaches into', async () => {
  await using db = await createTestDatabase()
  await makeTable(db, 40_000)
  await runOnce(db, 'remove', UNPARTITIONED)
  const { rows } = await db.database.query<{ oldestMs: number; nowMs: number }>(
    `select (extract(epoch from min(processed_at)) * 1000)::double precision as "oldestMs",
            (extract(epoch from now()) * 1000)::double precision as "nowMs" from public.processed_events`,
  )
  const [{ oldestMs, nowMs } = { oldestMs: 0, nowMs: 0 }] = rows
  const day = dayOf(nowMs - 8 * DAY_MS) ?? ''
  assert.ok(oldestMs >= startOfDay(day) && oldestMs < startOfDay(day) + 60_000)
})

test('rows of a day that the broker can still deliver stay, those before it go, and the rest follows', async () => {
  await using db = await createTestDatabase()
  await makeTable(db, 15_000)
  await using topic = await createTestTopic({ 'retention.ms': String(2 * DAY_MS) })
  // Two days at the broker come to three, which reach into the day three days ago.
  const latest = addDays(await todayOf(db.database), -4)
  await topic.write([startOfDay(latest) + DAY_MS / 2, startOfDay(latest) + DAY_MS])
  const policy: Policy = { ...UNPARTITIONED, topics: [topic.topic], retention: { kind: 'from-topics' } }
  const oldestDay = async (): Promise<string | null> => {
    const { rows } = await db.database.query<{ oldestMs: number }>(
      `select (extract(epoch from min(processed_at)) * 1000)::double precision as "oldestMs" from public.processed_events`,
    )
    return dayOf(rows[0]?.oldestMs ?? Number.NaN)
  }
  const first = await runOnce(db, 'remove', policy, {}, testKafka())
  assert.deepEqual(
    first.steps.map(({ step, outcome }) => [step.kind, outcome]),
    [
      ['prune', 'done'],
      ['keep-day', 'kept'],
    ],
  )
  assert.match(
    first.steps[1]?.step.reason ?? '',
    new RegExp(`^keep the rows of ${latest}: .+still holds offset 0`),
  )
  assert.equal(await oldestDay(), latest)
  await topic.forget('1')
  assert.equal((await runOnce(db, 'remove', policy, {}, testKafka())).outcome, 'done')
  assert.equal(await oldestDay(), addDays(latest, 1))
})

test('a row that another session holds ends the run as contended, and what went before is gone', async () => {
  await using db = await createTestDatabase()
  await makeTable(db, 25_000)
  const holder = await db.connect()
  await holder.query('begin')
  await holder.query(`select from public.processed_events where event_id = 'evt-14000' for update`)
  const report = await runOnce(db, 'remove', UNPARTITIONED)
  assert.equal(report.outcome, 'contended')
  assert.ok(report.steps[0]?.blockers.some(({ pid }) => pid === holder.pid))
  assert.match(report.steps[0]?.step.reason ?? '', /; 10000 went$/)
  await holder.query('rollback')
  assert.equal((await runOnce(db, 'remove', UNPARTITIONED)).outcome, 'done')
  assert.equal((await countsOf(db)).old, 0)
})

for (const type of ['date', 'timestamp', 'timestamptz']) {
  test(`rows are pruned by a ${type} at midnight UTC, wherever the server is`, async () => {
    await using db = await createTestDatabase()
    await db.database.query(
      `do $$ begin execute format('alter database %I set timezone = ''Pacific/Kiritimati''', current_database()); end $$`,
    )
    const today = await todayOf(db.database)
    await db.database.query(`create table public."Old.Rows" (id integer, "At" ${type})`)
    await db.database.query('create index on public."Old.Rows" ("At" desc)')
    const zone = type === 'timestamptz' ? '+00' : ''
    for (const [id, at] of [`${addDays(today, -9)} 23:59:59.999`, `${addDays(today, -8)} 00:00:00`].entries())
      await db.database.query(`insert into public."Old.Rows" values (${id}, '${at}${zone}'), (${id}, null)`)
    const report = await runOnce(db, 'remove', {
      ...UNPARTITIONED,
      table: 'Old.Rows',
      unpartitioned: { by: 'At' },
    })
    assert.equal(report.outcome, 'done', JSON.stringify(report))
    const { rows } = await db.database.query(`select id from public."Old.Rows" where "At" is not null`)
    assert.deepEqual(rows, [{ id: 1 }])
  })
}

test('rows that are all older than a year and more tell of a wrong clock, and none is deleted', async () => {
  await using db = await createTestDatabase()
  await makeTable(db, 100)
  await db.database.query(
    `update public.processed_events set processed_at = processed_at - interval '401 days'`,
  )
  const report = await runOnce(db, 'remove', UNPARTITIONED)
  assert.equal(report.outcome, 'refused')
  assert.match(
    report.steps[0]?.step.reason ?? '',
    /the latest row of public\.processed_events is 401 d old: set the clock/,
  )
  assert.equal((await countsOf(db)).old, 100)
})
