import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfDay, startOfDay } from '../../src/calendar/period.ts'
import { tableDaysOf } from '../../src/commands/table-days.ts'
import type { Partition } from '../../src/maintenance/partition.ts'

const NOW_MS = Date.parse('2026-08-03T10:00:00Z')

function partition(day: string, isPending = false): Partition {
  return {
    oid: '1',
    schema: 'daymark',
    name: `of ${day}`,
    fromMs: startOfDay(day),
    untilMs: endOfDay(day),
    isDefault: false,
    isPending,
    estimatedRows: 5,
    estimatedBytes: 8192,
  }
}

test('each day has its state, and a missing day of the window is a gap', () => {
  const days = tableDaysOf({
    partitions: [
      partition('2026-08-01', true),
      partition('2026-08-02'),
      partition('2026-08-03'),
      partition('2026-08-05'),
    ],
    toDrop: [],
    fence: '2026-08-01',
    runwayDays: 2,
    nowMs: NOW_MS,
  })
  assert.deepEqual(
    days.map(({ day, state }) => [day, state]),
    [
      ['2026-08-01', 'detach-pending'],
      ['2026-08-02', 'kept'],
      ['2026-08-03', 'open'],
      ['2026-08-04', 'gap'],
      ['2026-08-05', 'ahead'],
    ],
  )
})

test('a table without any partition lacks today and what is ahead', () => {
  const days = tableDaysOf({ partitions: [], toDrop: [], fence: null, runwayDays: 1, nowMs: NOW_MS })
  assert.deepEqual(
    days.map(({ day, state }) => [day, state]),
    [
      ['2026-08-03', 'gap'],
      ['2026-08-04', 'gap'],
    ],
  )
})
