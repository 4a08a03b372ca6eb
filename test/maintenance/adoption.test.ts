import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from '../../src/calendar/period.ts'
import { ELDER_REST_MS } from '../../src/maintenance/elder.ts'
import { planAdoption } from '../../src/maintenance/run-adopt.ts'
import type { DirectSession } from '../../src/postgres/direct-session.ts'
import { eventually } from '../support/eventually.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { createRunbookPartitions, createRunbookTable, markAsRunbook } from '../support/runbook-table.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { adoptAs } from './adopt-as.ts'
import { OWN_RETENTION, outcomesOf, partsOf, runOnce, setFence, todayOf } from './maintenance-bench.ts'

const TABLE = { schema: 'runbook', table: 'processed_events' }
const RUNWAY = OWN_RETENTION.runwayDays

async function refusalsOf(db: TestDatabase, name = TABLE): Promise<string> {
  const adoption = await planAdoption(partsOf(db), OWN_RETENTION, name)
  assert.equal(adoption.kind, 'refuse')
  return adoption.kind === 'refuse' ? adoption.reasons.join('\n') : ''
}

async function isThere({ database }: TestDatabase): Promise<boolean> {
  const { rows } = await database.query<{ there: boolean }>(
    `select to_regclass('runbook.processed_events') is not null as there`,
  )
  return rows[0]?.there ?? false
}

/** A removing run, without what it does about days. */
async function removeElders(db: TestDatabase): Promise<string[]> {
  return outcomesOf(await runOnce(db, 'remove')).filter((line) => !line.includes('-day '))
}

describe('a table is refused with what was found', () => {
  const changes: Record<string, [string, RegExp]> = {
    'without a key of group and id': [
      'alter table runbook.processed_events drop constraint processed_events_pkey',
      /no key that can be asked: expected a unique key of \(consumer_group, event_id\).*its unique keys: none/,
    ],
    'with ids that are no text': [
      'alter table runbook.processed_events alter event_id type uuid using null::uuid',
      /column event_id of runbook\.processed_events is of type uuid: expected text/,
    ],
    'with a column that nobody could fill': [
      'alter table runbook.processed_events add tenant text not null',
      /column tenant of runbook\.processed_events must be given a value/,
    ],
    'without an index that finds its youngest row': [
      'drop index runbook.processed_events_processed_at',
      /create index concurrently on "runbook"\."processed_events" \(processed_at\)/,
    ],
    'without the column of the moment': [
      'alter table runbook.processed_events drop processed_at',
      /has no column processed_at/,
    ],
  }
  for (const [what, [change, found]] of Object.entries(changes)) {
    test(what, async () => {
      await using db = await createTestDatabase()
      await createRunbookTable(db.database)
      await db.database.query(change)
      assert.match(await refusalsOf(db), found)
    })
  }

  test('that is not there, is a view, is daymark’s own, or was adopted already', async () => {
    await using db = await createTestDatabase()
    assert.match(await refusalsOf(db), /there is no table runbook\.processed_events/)
    await createRunbookTable(db.database)
    await db.database.query('create view runbook.seen as select 1')
    assert.match(await refusalsOf(db, { schema: 'runbook', table: 'seen' }), /no table of its own/)
    assert.match(await refusalsOf(db, { schema: 'daymark', table: 'dead_letters' }), /daymark's own schema/)
    assert.deepEqual(await adoptAs(db), ['done'])
    assert.match(await refusalsOf(db), /adopted already/)
  })
})

test('a table by day of somebody else is looked after as it is, and need not be adopted', async () => {
  await using db = await createTestDatabase()
  await db.database.query(
    `create schema runbook;
     create table runbook.processed_events (id bigint, day date not null) partition by range (day)`,
  )
  const adoption = await planAdoption(partsOf(db), OWN_RETENTION, TABLE)
  assert.deepEqual(adoption, { kind: 'maintain', column: 'day', notes: [] })
})

test('a keyed table is kept while its last row may come again, then asked no more, and dropped by a later run', async () => {
  await using db = await createTestDatabase()
  const { database } = db
  await createRunbookTable(database)
  await markAsRunbook(database, 'old', 3)
  await adoptAs(db)
  const today = await todayOf(database)
  // A row from before, by an old consumer that still ran when it was adopted.
  await setFence(database, addDays(today, RUNWAY - 1))
  const [kept] = (await runOnce(db, 'remove')).steps.slice(-1)
  assert.equal(kept?.outcome, 'kept')
  assert.match(kept?.step.reason ?? '', /keep runbook\.processed_events, from before daymark/)
  await setFence(database, addDays(today, RUNWAY))
  assert.deepEqual(await removeElders(db), ['retire-elder  done'])
  assert.deepEqual(await removeElders(db), [])
  assert.ok(await isThere(db))
  await database.query(`update daymark.elders set retired_at = retired_at - $1::bigint * interval '1 ms'`, [
    String(ELDER_REST_MS),
  ])
  assert.deepEqual(await removeElders(db), ['drop-elder  done'])
  assert.equal(await isThere(db), false)
  assert.deepEqual(await removeElders(db), [])
})

test('a row that an old consumer writes after the adoption keeps the table longer', async () => {
  await using db = await createTestDatabase()
  await createRunbookTable(db.database)
  await adoptAs(db)
  await markAsRunbook(db.database, 'later', -1)
  const today = await todayOf(db.database)
  await setFence(db.database, addDays(today, RUNWAY))
  assert.deepEqual(await removeElders(db), [])
  await setFence(db.database, addDays(today, RUNWAY + 1))
  assert.deepEqual(await removeElders(db), ['retire-elder  done'])
})

/** A retired table that rests no more. */
async function retiredTable(create: (db: TestDatabase['database']) => Promise<void>): Promise<TestDatabase> {
  const db = await createTestDatabase()
  await create(db.database)
  await adoptAs(db)
  await db.database.query(`update daymark.elders set retired_at = now() - interval '1 hour'`)
  return db
}

test('a table that is in use waits for a later run, and one that is used again is refused', async () => {
  await using db = await retiredTable(createRunbookTable)
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select from runbook.processed_events')
  const [report] = (await runOnce(db, 'remove')).steps.slice(-1)
  assert.equal(report?.outcome, 'contended')
  assert.ok(report?.blockers.some(({ pid }) => pid === reader.pid))
  await reader.query('commit')
  await markAsRunbook(db.database, 'late')
  const [refused] = (await runOnce(db, 'remove')).steps.slice(-1)
  assert.equal(refused?.outcome, 'refused')
  assert.match(refused?.error ?? '', /an old consumer still runs/)
  assert.ok(await isThere(db))
})

test('a view on the table keeps it, and is named', async () => {
  await using db = await retiredTable(createRunbookTable)
  await db.database.query('create view runbook.seen as select * from runbook.processed_events')
  const [refused] = (await runOnce(db, 'remove')).steps.slice(-1)
  assert.match(refused?.error ?? '', /view runbook\.seen depends on it/)
})

test('another table under its name is never dropped', async () => {
  await using db = await retiredTable(createRunbookTable)
  await db.database.query('drop table runbook.processed_events; create table runbook.processed_events ()')
  const [refused] = (await runOnce(db, 'remove')).steps.slice(-1)
  assert.equal(refused?.outcome, 'refused')
  assert.ok(await isThere(db))
})

test('old writers of a partitioned table are refused from the adoption on, also at its partitions, by a sentence', async () => {
  await using db = await createTestDatabase()
  await createRunbookPartitions(db.database)
  assert.deepEqual(await adoptAs(db), ['done'])
  for (const table of ['processed_events', 'processed_events_of_all_time']) {
    await assert.rejects(db.database.query(`insert into runbook.${table} values ('g', 'e')`), {
      code: '55000',
      message: /daymark has adopted runbook\.processed_events.* stop this consumer/,
    })
  }
})

async function writeUnfinished(db: TestDatabase): Promise<DirectSession> {
  const writer = await db.connect()
  await writer.query('begin')
  await writer.query(`insert into runbook.processed_events values ('g', 'e')`)
  return writer
}

test('an adoption waits for the writers that are under way, gives way to the others, and names them', async () => {
  await using db = await createTestDatabase()
  await createRunbookPartitions(db.database)
  const writer = await writeUnfinished(db)
  const [outcome = ''] = await adoptAs(db)
  assert.match(outcome, /^contended/)
  // Nothing has changed: others write on.
  await db.database.query(`insert into runbook.processed_events values ('g', 'other')`)
  const adopting = adoptAs(db)
  await eventually('it to wait', async () => (await lockWaits(db)) > 0)
  await writer.query('commit')
  assert.deepEqual(await adopting, ['done'])
})

test('an adoption whose session is ended while it waits has changed nothing', async () => {
  await using db = await createTestDatabase()
  await createRunbookPartitions(db.database)
  const writer = await writeUnfinished(db)
  const adopting = adoptAs(db)
  await eventually('it to wait', async () => (await lockWaits(db)) > 0)
  await db.database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  assert.notDeepEqual(await adopting, ['done'])
  await writer.query('commit')
  await db.database.query(`insert into runbook.processed_events values ('g', 'other')`)
  assert.deepEqual(await adoptAs(db), ['done'])
})
