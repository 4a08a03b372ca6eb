import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { daysBetween } from '../../src/calendar/period.ts'
import { daysAround, readMarkerDays } from '../../src/consumer/marker-days.ts'
import { identityOf, recordOf } from './samples.ts'
import { inEachTimeZone } from './time-zones.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const instants = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) })
const overlaps = fc.oneof(
  fc.constantFrom(0, 1, 15 * MINUTE, 12 * HOUR),
  fc.integer({ min: 0, max: 12 * HOUR }),
)

function daysOf(instantMs: number, overlapMs: number): string[] {
  const days = daysAround(instantMs, overlapMs)
  assert.ok('markerDay' in days)
  return [days.markerDay, ...(days.overlapDay === null ? [] : [days.overlapDay])]
}

test('any two instants within the overlap of each other share a day, in either order', () => {
  inEachTimeZone(() => {
    fc.assert(
      fc.property(
        instants,
        overlaps,
        fc.double({ min: -1, max: 1, noNaN: true }),
        (instantMs, overlapMs, share) => {
          const first = daysOf(instantMs, overlapMs)
          const second = daysOf(instantMs + Math.round(share * overlapMs), overlapMs)
          assert.ok(
            first.some((day) => second.includes(day)),
            `${first} and ${second}`,
          )
        },
      ),
      { numRuns: 500 },
    )
  })
})

test('the second day is the neighbour across the midnight that lies within the overlap, and no other', () => {
  fc.assert(
    fc.property(instants, overlaps, (instantMs, overlapMs) => {
      const [own = '', second] = daysOf(instantMs, overlapMs)
      assert.equal(own, new Date(instantMs).toISOString().slice(0, 10))
      if (second !== undefined) assert.equal(Math.abs(daysBetween(own, second)), 1)
      const sinceMidnight = instantMs % (24 * HOUR)
      const isNear = sinceMidnight < overlapMs || sinceMidnight + overlapMs >= 24 * HOUR
      assert.equal(second !== undefined, isNear)
    }),
  )
})

test('without an overlap an event has one day', () => {
  fc.assert(fc.property(instants, (instantMs) => assert.equal(daysOf(instantMs, 0).length, 1)))
})

test('with an overlap of 12 hours every event has two days, and noon belongs to the next one', () => {
  fc.assert(fc.property(instants, (instantMs) => assert.equal(daysOf(instantMs, 12 * HOUR).length, 2)))
  const noon = Date.UTC(2026, 7, 1, 12)
  assert.deepEqual(daysOf(noon - 1, 12 * HOUR), ['2026-08-01', '2026-07-31'])
  assert.deepEqual(daysOf(noon, 12 * HOUR), ['2026-08-01', '2026-08-02'])
})

test('days change at midnight UTC to the millisecond, whatever the zone of the process', () => {
  const midnights = {
    'a plain day': [Date.UTC(2026, 7, 2), '2026-08-01', '2026-08-02'],
    'the end of a year': [Date.UTC(2027, 0, 1), '2026-12-31', '2027-01-01'],
    'before a leap day': [Date.UTC(2028, 1, 29), '2028-02-28', '2028-02-29'],
    'after a leap day': [Date.UTC(2028, 2, 1), '2028-02-29', '2028-03-01'],
    'a century without a leap day': [Date.UTC(2100, 2, 1), '2100-02-28', '2100-03-01'],
    'clocks go forward in New York': [Date.UTC(2026, 2, 9), '2026-03-08', '2026-03-09'],
    'the day that Kiritimati skipped': [Date.UTC(1995, 0, 1), '1994-12-31', '1995-01-01'],
  } as const
  inEachTimeZone(() => {
    for (const [name, [midnight, before, after]] of Object.entries(midnights)) {
      const overlap = 15 * MINUTE
      assert.deepEqual(daysOf(midnight - overlap - 1, overlap), [before], name)
      assert.deepEqual(daysOf(midnight - overlap, overlap), [before, after], name)
      assert.deepEqual(daysOf(midnight - 1, overlap), [before, after], name)
      assert.deepEqual(daysOf(midnight, overlap), [after, before], name)
      assert.deepEqual(daysOf(midnight + overlap - 1, overlap), [after, before], name)
      assert.deepEqual(daysOf(midnight + overlap, overlap), [after], name)
    }
  })
})

test('a time outside the calendar is refused, and at its edges there is no neighbour', () => {
  const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]
  assert.deepEqual(daysOf(first, HOUR), ['0001-01-01'])
  assert.deepEqual(daysOf(last, HOUR), ['9999-12-31'])
  for (const instantMs of [first - 1, last + 1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 63]) {
    const reading = daysAround(instantMs, HOUR)
    assert.ok('reason' in reading && reading.reason === 'bad-time', String(instantMs))
  }
})

describe('a marker day is read from', () => {
  const read = (settings: Parameters<typeof identityOf>[0], timestamp = '0', eventId = 'evt-42') =>
    readMarkerDays(recordOf({ timestamp }), 'payments', eventId, identityOf(settings))

  test('the record timestamp', () => {
    const timestamp = String(Date.UTC(2026, 7, 1, 23, 50))
    assert.deepEqual(read({}, timestamp), { markerDay: '2026-08-01', overlapDay: '2026-08-02' })
  })

  test('the event id, which no timestamp can move', () => {
    const id = '017F22E2-79B0-7CC3-98C4-DC0C0C07398F'
    assert.deepEqual(read({ markerDay: 'event-id' }, '0', id), { markerDay: '2022-02-22', overlapDay: null })
    const refused = read({ markerDay: 'event-id' }, '0', 'evt-42')
    assert.ok('reason' in refused && refused.reason === 'bad-id')
  })

  test('a function, without an overlap', () => {
    const days = read({
      markerDay: (record, topic) => (record.offset === '0' && topic === 'payments' ? '2026-08-01' : ''),
    })
    assert.deepEqual(days, { markerDay: '2026-08-01', overlapDay: null })
  })

  test('no function that gives something else or throws', () => {
    const broken = [
      () => '2026-02-30',
      () => '',
      () => 'today',
      () => 20260801,
      () => 1n,
      () => undefined,
      () => null,
    ]
    for (const markerDay of [...broken, () => assert.fail('no field')]) {
      const refused = read({ markerDay: markerDay as () => string })
      assert.ok('reason' in refused && refused.reason === 'bad-time', String(markerDay))
    }
  })
})
