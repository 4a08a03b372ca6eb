import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, type Day, startOfDay } from '../../src/calendar/period.ts'
import { DEFAULT_CONSUMER_SETTINGS } from '../../src/consumer/consumer-settings.ts'
import { defineHandler } from '../../src/consumer/handler.ts'
import type { Policy } from '../../src/maintenance/policy.ts'
import { takeRunLock } from '../../src/maintenance/run-lock.ts'
import { runReattach } from '../../src/maintenance/run-reattach.ts'
import { eventually } from '../support/eventually.ts'
import { payment } from '../support/payments.ts'
import { recordAtOnce } from '../support/record-at-once.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { fenceOf, openReader, pendingName, tableWithOldDays } from './interrupted-table.ts'
import { daysOf, insertMarker, OWN_RETENTION, outcomesOf, partsOf, runOnce } from './maintenance-bench.ts'

const DAY_MS = 86_400_000

const PARKING: Policy = { ...OWN_RETENTION, keepDetachedMs: DAY_MS }
/** Long enough for the old days to stay. */
const LENGTHENED: Policy = { ...PARKING, retention: { kind: 'given', ms: 30 * DAY_MS } }

async function tableWithParkedDays() {
  const found = await tableWithOldDays()
  const report = await runOnce(found.db, 'remove', PARKING)
  assert.deepEqual(outcomesOf(report), [`remove-day ${found.older} done`, `remove-day ${found.old} done`])
  return found
}

function nameOf(day: Day): string {
  return `processed_events_${day.replaceAll('-', '_')}`
}

/** The parked tables that stand, by the notes that were made of them. */
async function parkedOf(db: TestDatabase): Promise<string[]> {
  const { rows } = await db.database.query<{ name: string }>(
    `select d.partition_name as name
       from daymark.partitions_to_drop d join pg_class c on c.oid = d.partition_oid
      where d.intent = 'park' and d.keep_until > now() + interval '23 hours'
      order by 1`,
  )
  return rows.map(({ name }) => name)
}

async function letParkingEnd(db: TestDatabase): Promise<void> {
  await db.database.query(`update daymark.partitions_to_drop set keep_until = now() - interval '1 second'`)
}

async function reattached(db: TestDatabase, day: Day, policy: Policy = LENGTHENED): Promise<string> {
  const report = await runReattach(partsOf(db), policy, day, new AbortController().signal)
  return report.steps.map(({ step, outcome, error }) => `${outcome} ${error ?? step.reason}`).join()
}

test('a parked day is detached and fenced, kept for as long as was asked, and dropped by a later run', async () => {
  const { db, older, old } = await tableWithParkedDays()
  await using _ = db
  assert.equal(await fenceOf(db), old)
  assert.ok(!(await daysOf(db.database)).some((day) => day <= old))
  assert.deepEqual(await parkedOf(db), [nameOf(older), nameOf(old)])
  await assert.rejects(insertMarker(db.database, old, 'late'), { code: '23514' })

  // Nor does a run that parks nothing itself, such as a worker with another configuration.
  assert.deepEqual(outcomesOf(await runOnce(db, 'remove')), [])
  assert.deepEqual(await parkedOf(db), [nameOf(older), nameOf(old)])
  await letParkingEnd(db)
  assert.deepEqual(outcomesOf(await runOnce(db, 'remove')), [
    `drop-detached ${older} done`,
    `drop-detached ${old} done`,
  ])
  const { rows } = await db.database.query('select to_regclass($1::text) as found', [
    `daymark.${nameOf(old)}`,
  ])
  assert.deepEqual(rows, [{ found: null }])
})

test('a parking that is interrupted while its detach waits is finished as a parking', async () => {
  const { db, older, old } = await tableWithOldDays()
  await using _ = db
  const reader = await openReader(db)
  const stopped = await runOnce(db, 'remove', PARKING, { signal: AbortSignal.timeout(400) })
  assert.equal(stopped.outcome, 'waiting')
  await eventually('the detach to be pending', () => pendingName(db))
  // Starved by the reader, it may not be dropped as one that goes at once would be.
  const starved = await runOnce(db, 'remove')
  assert.match(outcomesOf(starved)[0] ?? '', /^finish-detach .* (waiting|contended)/)
  assert.equal(await pendingName(db), `daymark.${nameOf(older)}`)
  await reader.query('commit')
  assert.deepEqual(outcomesOf(await runOnce(db, 'remove')), [
    `finish-detach ${older} done`,
    `remove-day ${old} done`,
  ])
  assert.deepEqual(await parkedOf(db), [nameOf(older)])
})

test('parked days come back the newest first, with their markers and the fence', async () => {
  const { db, older, old, today } = await tableWithParkedDays()
  await using _ = db
  assert.match(
    await reattached(db, older),
    new RegExp(`^refused ${older}: the fence stands at ${old}, .*Bring ${old} back first`),
  )
  assert.match(await reattached(db, old), new RegExp(`^done bring ${old} back`))
  assert.equal(await fenceOf(db), older)
  assert.match(await reattached(db, older), /^done/)
  assert.equal(await fenceOf(db), addDays(older, -1))
  assert.deepEqual(await parkedOf(db), [])
  assert.deepEqual((await daysOf(db.database)).slice(0, 2), [older, old])

  // The markers deduplicate again, and a run makes and removes nothing.
  await assert.rejects(insertMarker(db.database, old, `event-of-${old}`), { code: '23505' })
  for (const kind of ['make', 'remove'] as const)
    assert.ok((await runOnce(db, kind, LENGTHENED)).steps.every(({ step }) => (step.fromDay ?? today) > old))
  // And when its time has come, it goes like any other day.
  assert.deepEqual(outcomesOf(await runOnce(db, 'remove')), [
    `remove-day ${older} done`,
    `remove-day ${old} done`,
  ])
})

test('a day stays parked where the next run would remove it again', async () => {
  const { db, old } = await tableWithParkedDays()
  await using _ = db
  assert.match(
    await reattached(db, old, PARKING),
    /^refused .*the retention is 8 d from the configuration, so the next run would remove it again. Lengthen it to more than 8 d/,
  )
  assert.equal(await fenceOf(db), old)
})

test('a day of which an event was refused meanwhile stays parked', async () => {
  const { db, old } = await tableWithParkedDays()
  await using _ = db
  const settings = { ...DEFAULT_CONSUMER_SETTINGS, group: 'ledger-writer', topics: ['payments'] }
  const handler = defineHandler({ applyEach: () => Promise.resolve() })
  const late = payment('late', { timestampMs: startOfDay(old) + DAY_MS / 2 })
  await recordAtOnce(db.database, settings, handler, [{ topic: 'payments', partition: 0, records: [late] }])
  const { rows } = await db.database.query(
    `select reason, to_char(refused_day, 'YYYY-MM-DD') as day, marker_day from daymark.dead_letters`,
  )
  assert.deepEqual(rows, [{ reason: 'expired', day: old, marker_day: null }])
  assert.match(
    await reattached(db, old),
    /^refused bringing .*: 1 of its events were refused as expired meanwhile/,
  )
  assert.equal(await fenceOf(db), old)

  // One that was written before that column counts by its record's day; one of another day counts not.
  await db.database.query('update daymark.dead_letters set refused_day = null')
  assert.match(await reattached(db, old), /^refused bringing /)
  await db.database.query('update daymark.dead_letters set refused_day = $1::date', [addDays(old, -3)])
  assert.match(await reattached(db, old), /^done/)
})

test('a table that is not the one that was parked is never attached', async () => {
  const { db, older, old } = await tableWithParkedDays()
  await using _ = db
  const run = (statement: string) => db.database.query(statement)

  await run(`alter table daymark.${nameOf(old)} rename to archived`)
  assert.match(await reattached(db, old), /^refused .* is not its table .* any more/)
  await run(`alter table daymark.archived rename to ${nameOf(old)}`)

  await run(`truncate daymark.${nameOf(old)}`)
  assert.match(await reattached(db, old), /^refused .* holds no row/)

  // As after a restore from a dump: the same names and rows under other OIDs.
  await run(`create table daymark.copy (like daymark.${nameOf(old)} including all)`)
  await run(`drop table daymark.${nameOf(old)}`)
  await run(`alter table daymark.copy rename to ${nameOf(old)}`)
  assert.match(await reattached(db, old), /^refused .* is gone/)
  await letParkingEnd(db)
  assert.deepEqual(outcomesOf(await runOnce(db, 'remove')), [
    `drop-detached ${older} done`,
    `drop-detached ${old} already`,
  ])
  const { rows } = await db.database.query('select to_regclass($1::text) is not null as kept', [
    `daymark.${nameOf(old)}`,
  ])
  assert.deepEqual(rows, [{ kept: true }])
})

test('a day that somebody has detached by hand is neither attached, nor dropped, nor made anew', async () => {
  const { db, today } = await tableWithOldDays()
  await using _ = db
  await runOnce(db, 'make')
  const yesterday = addDays(today, -1)
  const name = `daymark.${nameOf(yesterday)}`
  await db.database.query(`alter table daymark.processed_events detach partition ${name}`)
  assert.match(await reattached(db, yesterday), /^refused .* no such day that was parked \(parked: none\)/)
  const made = await runOnce(db, 'make')
  assert.match(outcomesOf(made).join(), new RegExp(`${yesterday} refused`))
  await runOnce(db, 'remove')
  const { rows } = await db.database.query(
    'select to_regclass($1::text) is not null as stands, not exists (select from pg_inherits where inhrelid = to_regclass($1::text)) as alone',
    [name],
  )
  assert.deepEqual(rows, [{ stands: true, alone: true }])
})

test('nothing comes back while a worker is at the table', async () => {
  const { db, old } = await tableWithParkedDays()
  await using _ = db
  const other = await db.connect()
  assert.ok((await takeRunLock(other, PARKING, 'remove')).isHeld)
  const report = await runReattach(partsOf(db), LENGTHENED, old, new AbortController().signal)
  assert.deepEqual([report.outcome, report.holder?.pid], ['locked', other.pid])
  assert.equal(await fenceOf(db), old)
})
