import { setTimeout as delay } from 'node:timers/promises'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import type { MaintenanceCase, MaintenanceTarget } from '../cases/maintenance-case.ts'
import { settingsOf } from './database-settings-of.ts'
import type { MarkerTable } from './filled-database.ts'
import type { InsertWaits } from './insert-waits.ts'
import { startInserters } from './inserters.ts'
import { maintainedDays } from './maintained-days.ts'

/** How a pass went, and what the inserts beside it felt. */
export type MaintenanceFigures = InsertWaits & {
  /** How long the pass took; reckoned from a part of it where that was less than all. */
  readonly wallMs: number
  readonly isPartial: boolean
}

/** What a pass is measured under: whether a transaction that has read the table is open, and the old day's rows. */
export type Conditions = { readonly reader: boolean; readonly rows: number }

const READER_MS = 4_000
/** Also what comes after a quick pass is looked at, and a p99 of a few inserts would say nothing. */
const SHORTEST_MS = 3_000

const TABLE_NAME = { partitioned: 'daymark.processed_events', unpartitioned: 'public.processed_events' }

/** Times one pass of a case under inserts that go on all the time, with a transaction that reads the table, or not. */
export async function measureMaintenance(
  url: string,
  given: MaintenanceCase,
  { reader, rows }: Conditions,
): Promise<MaintenanceFigures> {
  await using db = await openDirectSession(settingsOf(url, 1))
  const target: MaintenanceTarget = { url, db, days: await maintainedDays(db) }
  await given.prepare?.(target)
  using inserters = await startInserters(url, insertInto(given.table, target.days.today))
  const reading = reader ? startReader(url, given.table) : null
  await reading?.begun
  const beganAt = performance.now()
  const share = await given.pass(target, rows)
  const tookMs = performance.now() - beganAt
  await reading?.ended
  await delay(Math.max(0, SHORTEST_MS - tookMs))
  return { ...(await inserters.stop()), wallMs: tookMs / share, isPartial: share < 1 }
}

/** The same inserts when nothing else is done. */
export async function measureUndisturbed(url: string, table: MarkerTable): Promise<InsertWaits> {
  await using db = await openDirectSession(settingsOf(url, 1))
  const { today } = await maintainedDays(db)
  using inserters = await startInserters(url, insertInto(table, today))
  await delay(READER_MS)
  return await inserters.stop()
}

function insertInto(table: MarkerTable, today: string): string {
  const columns = 'consumer_group, topic, partition, "offset", event_id'
  const values = `'ledger-writer', 'payments', 0, 1, $1::text`
  return table === 'partitioned'
    ? `insert into daymark.processed_events (${columns}, marker_day) values (${values}, '${today}')`
    : `insert into public.processed_events (${columns}) values (${values})`
}

/** A transaction that has read the table, and stays open for a while: a report, a backup, somebody's psql. */
function startReader(url: string, table: MarkerTable): { begun: Promise<void>; ended: Promise<void> } {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  return { begun, ended: read() }

  async function read(): Promise<void> {
    await using session = await openDirectSession(settingsOf(url, 1))
    await session.query('begin')
    await session.query(`select 1 from ${TABLE_NAME[table]} limit 1`)
    resolve()
    await session.query(`select pg_sleep(${READER_MS / 1_000})`)
    await session.query('commit')
  }
}
