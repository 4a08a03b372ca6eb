import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  addDays,
  dayOf,
  daysBetween,
  daysThrough,
  firstDayFrom,
  isDay,
  startOfDay,
} from '../../src/calendar/period.ts'

const FIRST_MS = Date.UTC(2000, 0, 1) - 730_119 * 86_400_000
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Minutes east of UTC on a day of January. Node reads TZ again whenever it is written, which the first test proves. */
const ZONES = {
  UTC: 0,
  'America/New_York': -5 * 60,
  'America/St_Johns': -(3 * 60 + 30),
  'Asia/Kathmandu': 5 * 60 + 45,
  'Pacific/Apia': 13 * 60,
  'Pacific/Kiritimati': 14 * 60,
  'Pacific/Pago_Pago': -11 * 60,
}

const zoneBefore = process.env.TZ
after(() => {
  if (zoneBefore === undefined) delete process.env.TZ
  else process.env.TZ = zoneBefore
})

const instants = fc.integer({ min: FIRST_MS, max: LAST_MS })
const days = instants.map(utcDay)
const modernDays = fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2200, 0, 1) }).map(utcDay)

function utcDay(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10)
}

for (const [zone, minutesEast] of Object.entries(ZONES)) {
  describe(`in a process of ${zone}`, async () => {
    process.env.TZ = zone
    // Loaded anew, so that what it computes when it is loaded is computed in this zone too.
    const period: typeof import('../../src/calendar/period.ts') = await import(
      `../../src/calendar/period.ts?zone=${zone}`
    )
    beforeEach(() => {
      process.env.TZ = zone
    })

    test('the process is in that zone', () => {
      assert.equal(new Date('2026-01-15T12:00:00Z').getTimezoneOffset() + minutesEast, 0)
    })

    test('an instant has the day that its UTC text begins with', () => {
      fc.assert(
        fc.property(instants, (instantMs) => {
          assert.equal(period.dayOf(instantMs), new Date(instantMs).toISOString().slice(0, 10))
        }),
      )
    })

    test('a day holds its first instant, its last, and neither neighbour', () => {
      fc.assert(
        fc.property(days, (day) => {
          const { dayOf, startOfDay, endOfDay } = period
          assert.equal(startOfDay(day), Date.parse(`${day}T00:00:00.000Z`))
          assert.equal(endOfDay(day) - startOfDay(day), 86_400_000)
          assert.equal(dayOf(startOfDay(day)), day)
          assert.equal(dayOf(endOfDay(day) - 1), day)
          assert.notEqual(dayOf(endOfDay(day)), day)
          assert.notEqual(dayOf(startOfDay(day) - 1), day)
        }),
      )
    })

    test('adding days and counting them undo each other, also where clocks are changed', () => {
      const { addDays, daysBetween, startOfDay } = period
      fc.assert(
        fc.property(modernDays, fc.integer({ min: -40_000, max: 40_000 }), (day, count) => {
          const other = addDays(day, count)
          assert.equal(daysBetween(day, other), count)
          assert.equal(addDays(other, -count), day)
          assert.equal(startOfDay(other) - startOfDay(day), count * 86_400_000)
        }),
      )
    })

    test('the days from one through another follow each other without a gap', () => {
      const { addDays, daysThrough, endOfDay, startOfDay } = period
      fc.assert(
        fc.property(modernDays, fc.integer({ min: 0, max: 400 }), (from, count) => {
          const through = daysThrough(from, addDays(from, count))
          assert.equal(through.length, count + 1)
          assert.deepEqual(through.slice(1).map(startOfDay), through.slice(0, -1).map(endOfDay))
        }),
        { numRuns: 20 },
      )
    })

    test('a day that some zone left out is a day like others', () => {
      // Apia went from the 29th to the 31st when it moved across the date line.
      const days = ['2011-12-29', '2011-12-30', '2011-12-31', '2012-01-01']
      assert.deepEqual(period.daysThrough('2011-12-29', '2012-01-01'), days)
      assert.equal(period.addDays('2011-12-30', -1), '2011-12-29')
      assert.equal(period.addDays('2011-12-30', 0), '2011-12-30')
    })

    test('the calendar ends where it ends everywhere, and a day that does not exist is none', () => {
      assert.deepEqual([FIRST_MS - 1, FIRST_MS, LAST_MS, LAST_MS + 1].map(period.dayOf), [
        null,
        '0001-01-01',
        '9999-12-31',
        null,
      ])
      assert.deepEqual(['2028-02-29', '2026-02-29', '0000-12-31'].map(period.isDay), [true, false, false])
    })

    test('a minute reads as its UTC text', () => {
      assert.equal(period.minuteOf(Date.UTC(2026, 10, 24, 3, 11, 59, 999)), '2026-11-24 03:11')
    })
  })
}

test('days compare as texts the way they follow each other', () => {
  fc.assert(
    fc.property(days, days, (a, b) => Math.sign(daysBetween(a, b)) === (a === b ? 0 : a < b ? 1 : -1)),
  )
})

test('every day of an instant is a day', () => {
  fc.assert(fc.property(days, (day) => isDay(day)))
})

test('leap days exist in leap years', () => {
  assert.ok(['2028-02-29', '2000-02-29', '2400-02-29'].every(isDay))
  assert.ok(!['2026-02-29', '1900-02-29', '2100-02-29'].some(isDay))
  assert.equal(addDays('2028-02-28', 1), '2028-02-29')
  assert.equal(addDays('2026-02-28', 1), '2026-03-01')
  assert.equal(daysBetween('2028-02-01', '2028-03-01'), 29)
})

test('a year ends with its last day', () => {
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.equal(dayOf(Date.UTC(2027, 0, 1) - 1), '2026-12-31')
  assert.deepEqual(daysThrough('2026-12-30', '2027-01-02'), [
    '2026-12-30',
    '2026-12-31',
    '2027-01-01',
    '2027-01-02',
  ])
})

test('a text that is no day is none, whatever else it may be', () => {
  const others = [
    '',
    'today',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '26-01-01',
    '2026/01/01',
    '20260101',
    '2026-W10-2',
    '2026-123',
    '2026-01-01T00:00:00Z',
    '2026-01-01 ',
    '2026-01-01\n',
    '+002026-01-01',
    '-0001-01-01',
    '0000-12-31',
    '२०२६-०१-०१',
    'infinity',
  ]
  assert.deepEqual(others.filter(isDay), [])
})

test('no other text passes for a day than one that reads back the same', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{4}-\d{2}-\d{2}$/), (text) => {
      const reads = Number.isNaN(Date.parse(text)) ? '' : new Date(text).toISOString().slice(0, 10)
      assert.equal(isDay(text), reads === text && text >= '0001-01-01')
    }),
    { numRuns: 2000 },
  )
})

test('the calendar runs from the year 1 through the year 9999, and tells where it ends', () => {
  assert.equal(dayOf(FIRST_MS), '0001-01-01')
  assert.equal(dayOf(FIRST_MS - 1), null)
  assert.equal(dayOf(LAST_MS), '9999-12-31')
  assert.equal(dayOf(LAST_MS + 1), null)
  assert.deepEqual([Number.NaN, Infinity, -Infinity, 2 ** 63, -(2 ** 63)].map(dayOf), [
    null,
    null,
    null,
    null,
    null,
  ])
})

test('an instant between two milliseconds has the day it lies in', () => {
  assert.equal(dayOf(Date.UTC(2026, 0, 2) - 0.5), '2026-01-01')
})

test('the first day from an instant starts then, or at the next midnight', () => {
  assert.equal(firstDayFrom(Date.UTC(2026, 0, 2)), '2026-01-02')
  assert.equal(firstDayFrom(Date.UTC(2026, 0, 2) + 1), '2026-01-03')
  assert.equal(firstDayFrom(Date.UTC(2026, 0, 3) - 1), '2026-01-03')
  assert.equal(firstDayFrom(LAST_MS), null)
})

test('no days lie between a day and an earlier one', () => {
  assert.deepEqual(daysThrough('2026-01-02', '2026-01-01'), [])
  assert.deepEqual(daysThrough('2026-01-01', '2026-01-01'), ['2026-01-01'])
})

test('a thousand days and more keep their answers', () => {
  const far = daysThrough('2020-01-01', '2024-12-31')
  for (const _ of [1, 2])
    assert.deepEqual(
      far.map((day) => dayOf(startOfDay(day))),
      far,
    )
})
