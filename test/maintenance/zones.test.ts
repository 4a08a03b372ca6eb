import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { addDays, type Day, dayOf, daysThrough, startOfDay } from '../../src/calendar/period.ts'
import type { Policy } from '../../src/maintenance/policy.ts'
import { listPartitions } from '../../src/maintenance/sql/list-partitions.ts'
import { type DatabaseClock, giveClock } from '../support/database-clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { OWN_RETENTION, outcomesOf, runOnce } from './maintenance-bench.ts'
import { DAY_MS } from './table-view-of.ts'

/** The three types that a day can be kept in. */
const KEYS = { by_day: 'date', by_instant: 'timestamptz', by_local_time: 'timestamp' } as const
const TABLES = Object.keys(KEYS) as (keyof typeof KEYS)[]

const ownZone = process.env.TZ
let db: TestDatabase
let clock: DatabaseClock

beforeEach(async () => {
  db = await createTestDatabase()
  clock = await giveClock(db.database)
  for (const [table, type] of Object.entries(KEYS))
    await db.database.query(`create table daymark.${table} (at ${type} not null) partition by range (at)`)
})

afterEach(async () => {
  await db[Symbol.asyncDispose]()
})

after(() => {
  if (ownZone === undefined) delete process.env.TZ
  else process.env.TZ = ownZone
})

/** What every new session of this role in this database begins with. */
async function setSession(name: 'TimeZone' | 'DateStyle', value: string): Promise<void> {
  await db.database.query(
    `do $$ begin execute format('alter role current_user in database %I set ${name} = %L', current_database(), '${value}'); end $$`,
  )
}

/** The days of a table by their bounds; rejects bounds that are not at midnight UTC. */
async function wholeDaysOf(table: string): Promise<Day[]> {
  const session = await db.connect()
  const { rows } = await session.query<{ oid: string }>('select $1::regclass::oid::text as oid', [
    `daymark.${table}`,
  ])
  const partitions = await listPartitions(session, rows[0]?.oid ?? '')
  return partitions.map(({ name, fromMs, untilMs }) => {
    const day = dayOf(fromMs) ?? ''
    assert.deepEqual([fromMs, untilMs], [startOfDay(day), startOfDay(day) + DAY_MS], name)
    assert.equal(name, `${table}_${day.replaceAll('-', '_')}`)
    return day
  })
}

async function maintainAll(change: Partial<Policy> = {}): Promise<void> {
  for (const table of TABLES) {
    for (const kind of ['make', 'remove'] as const) {
      const report = await runOnce(db, kind, { ...OWN_RETENTION, table, ...change })
      assert.ok(['done', 'already'].includes(report.outcome), outcomesOf(report).join('\n'))
    }
  }
}

for (const [zone, style, own] of [
  ['Pacific/Kiritimati', 'SQL, DMY', 'America/New_York'],
  ['America/St_Johns', 'German', 'Asia/Kathmandu'],
  ['Etc/GMT+12', 'Postgres, MDY', 'Pacific/Kiritimati'],
] as const) {
  test(`days begin at midnight UTC with a server in ${zone} that writes dates in ${style}, and us in ${own}`, async () => {
    await setSession('TimeZone', zone)
    await setSession('DateStyle', style)
    process.env.TZ = own
    for (const at of ['2026-06-14T23:59:00Z', '2026-06-15T00:01:00Z', '2026-06-25T12:00:00Z']) {
      const nowMs = Date.parse(at)
      await clock.set(nowMs)
      await maintainAll()
      const today = dayOf(nowMs) ?? ''
      for (const table of TABLES)
        assert.deepEqual(
          await wholeDaysOf(table),
          daysThrough(addDays(today, -8), addDays(today, 7)),
          `${table} at ${at}`,
        )
    }
  })
}

for (const [what, zone, from, days] of [
  ['a leap day', 'Europe/Berlin', '2024-02-27T12:00:00Z', 3],
  ['the beginning of summer time', 'Europe/Berlin', '2025-03-29T23:30:00Z', 2],
  ['the end of summer time', 'America/New_York', '2025-11-01T23:30:00Z', 2],
  ['the day that Samoa left out', 'Pacific/Apia', '2011-12-29T09:30:00Z', 3],
  ['the turn of a year', 'Asia/Kathmandu', '2025-12-31T18:00:00Z', 2],
] as const) {
  test(`${what} is a day like every other, in ${zone}`, async () => {
    await setSession('TimeZone', zone)
    process.env.TZ = zone
    for (let hours = 0; hours <= days * 24; hours += 12) {
      const nowMs = Date.parse(from) + hours * 3_600_000
      await clock.set(nowMs)
      await maintainAll({ runwayDays: 3 })
      const today = dayOf(nowMs) ?? ''
      for (const table of TABLES) {
        const found = await wholeDaysOf(table)
        assert.deepEqual(found, daysThrough(addDays(today, -8), addDays(today, 3)), `${table} on ${today}`)
      }
    }
  })
}

test('a midnight that passes during a run leaves no gap: it looks once more before it ends', async () => {
  const midnightMs = startOfDay('2026-06-15')
  await db.database.query('create sequence clock.reading')
  await db.database.query(
    `create or replace function clock.clock_timestamp() returns timestamptz language sql volatile as $$
       select to_timestamp(${midnightMs / 1000} + case when nextval('clock.reading') = 1 then -0.001 else 0.001 end)
     $$`,
  )
  const report = await runOnce(db, 'make', { ...OWN_RETENTION, table: 'by_instant' })
  assert.equal(report.outcome, 'done', outcomesOf(report).join('\n'))
  // The retention was reckoned from before midnight, the runway reaches from the day after it.
  assert.deepEqual(await wholeDaysOf('by_instant'), daysThrough('2026-06-06', '2026-06-22'))
})
