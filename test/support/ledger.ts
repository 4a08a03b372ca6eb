import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { Queryable } from '../../src/postgres/queryable.ts'
import { eventually } from './eventually.ts'

/** The example's handlers, for processes that load theirs from a file. */
export const TYPESCRIPT_HANDLER = fileURLToPath(
  new URL('../../examples/payments/handler.ts', import.meta.url),
)
export const EFFECT_STATEMENT = fileURLToPath(new URL('../../examples/payments/effect.sql', import.meta.url))

/** The example's ledger without its key: an effect that is applied twice stands there twice. */
export async function createOpenLedger(db: Queryable): Promise<void> {
  await db.query(
    'create table ledger_entries (event_id text not null, account text, amount_cents bigint, booked_at timestamptz)',
  )
}

/** The ids of all effects, one for each time that it was applied. */
export async function appliedIds(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select event_id as id from ledger_entries order by event_id collate "C"',
  )
  return rows.map(({ id }) => id)
}

/** The ids of the markers, one for each event. */
export async function markedIds(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select event_id as id from daymark.processed_events where not overlap order by event_id',
  )
  return rows.map(({ id }) => id)
}

/** Compares effects and markers with what was produced, id by id: every event once, and no other. */
export async function assertEachOnce(db: Queryable, produced: readonly string[]): Promise<void> {
  const wanted = [...produced].sort()
  assertSameIds(await appliedIds(db), wanted, 'effects')
  assertSameIds(await markedIds(db), wanted, 'markers')
}

/** Waits until as many effects stand there as events were produced. */
export async function eventuallyApplied(db: Queryable, count: number, withinMs?: number): Promise<void> {
  await eventually(
    `${count} effects`,
    async () => {
      const { rows } = await db.query<{ found: number }>(
        'select count(distinct event_id)::int as found from ledger_entries',
      )
      const found = rows[0]?.found ?? 0
      if (found < count) throw new Error(`found ${found}`)
      return true
    },
    withinMs,
  )
}

/** A difference of 200,000 lines helps nobody: the first few ids that differ do. */
export function assertSameIds(found: readonly string[], wanted: readonly string[], what: string): void {
  const twice = found.filter((id, index) => id === found[index - 1])
  const present = new Set(found)
  const missing = wanted.filter((id) => !present.has(id))
  const produced = new Set(wanted)
  const unknown = found.filter((id) => !produced.has(id))
  const some = (ids: readonly string[]): unknown => ({ count: ids.length, first: ids.slice(0, 5) })
  assert.deepEqual(
    { what, twice: some(twice), missing: some(missing), unknown: some(unknown), count: found.length },
    { what, twice: some([]), missing: some([]), unknown: some([]), count: wanted.length },
  )
}
