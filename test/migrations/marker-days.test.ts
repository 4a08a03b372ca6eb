import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { endOfDay, startOfDay } from '../../src/calendar/period.ts'
import { daysAround } from '../../src/consumer/marker-days.ts'
import { createTestDatabase } from '../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())

const HOUR = 3_600_000

/** The days of each of these, as the database gives them. */
async function daysOf(
  asked: readonly { readonly instantMs: number; readonly overlapMs: number }[],
): Promise<unknown[]> {
  const { rows } = await db.database.query<{ days: unknown }>(
    `select (select json_object_agg(case when d.overlap then 'overlapDay' else 'markerDay' end, d.marker_day)
               from daymark.marker_days(to_timestamp(a.instant / 1000.0), a.overlap * interval '1 ms') d) as days
       from unnest($1::bigint[], $2::bigint[]) with ordinality as a (instant, overlap, number)
      order by a.number`,
    [`{${asked.map(({ instantMs }) => instantMs)}}`, `{${asked.map(({ overlapMs }) => overlapMs)}}`],
  )
  return rows.map(({ days }) => ({ overlapDay: null, ...(days as object) }))
}

test('the database marks an event in the same days as the consumer, near midnight and anywhere', async () => {
  const midnight = fc
    .integer({ min: 0, max: 20_000 })
    .map((day) => day * 24 * HOUR)
    .chain((at) => fc.integer({ min: -13 * HOUR, max: 13 * HOUR }).map((distance) => Math.abs(at + distance)))
  const overlap = fc.oneof(fc.constantFrom(0, HOUR / 4, 12 * HOUR), fc.integer({ min: 0, max: 12 * HOUR }))
  const asked = fc.sample(fc.record({ instantMs: midnight, overlapMs: overlap }), {
    numRuns: 2_000,
    seed: 11,
  })
  const edges = [startOfDay('2028-02-29'), endOfDay('2028-02-29') - 1, startOfDay('2026-12-31') + 12 * HOUR]
  const all = [
    ...asked,
    ...edges.flatMap((instantMs) => [0, HOUR / 4, 12 * HOUR].map((overlapMs) => ({ instantMs, overlapMs }))),
  ]
  assert.deepEqual(
    await daysOf(all),
    all.map(({ instantMs, overlapMs }) => daysAround(instantMs, overlapMs)),
  )
})

test('the days are those of UTC, whatever the zone and the date style of the session', async () => {
  const session = await db.connect()
  for (const [zone, style] of [
    ['Pacific/Kiritimati', 'German'],
    ['America/New_York', 'SQL, DMY'],
  ]) {
    await session.query(`set timezone = '${zone}'; set datestyle = '${style}'`)
    const { rows } = await session.query(
      `select to_char(marker_day, 'YYYY-MM-DD') as day, overlap
         from daymark.marker_days('2026-08-01T00:05:00Z')`,
    )
    assert.deepEqual(rows, [
      { day: '2026-08-01', overlap: false },
      { day: '2026-07-31', overlap: true },
    ])
  }
})

test('an overlap of less than nothing, or of more than half a day, is refused by name', async () => {
  for (const overlap of ['-1 second', '13 hours', '1 month']) {
    await assert.rejects(
      db.database.query('select * from daymark.marker_days(now(), $1::interval)', [overlap]),
      /expected an overlap from 0 to 12 hours, got/,
    )
  }
})
