import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holdOf } from '../../src/maintenance/evidence.ts'
import { DAY_MS, topicOf } from './table-view-of.ts'

const DAY = '2026-11-20'
const NOW_MS = Date.UTC(2026, 11, 1)

function isHeld(more: Parameters<typeof topicOf>[0], isGivenRetention = false): boolean {
  return holdOf(topicOf(more), DAY, NOW_MS, isGivenRetention) !== null
}

test('a day is let go exactly when the low mark has reached both the noted mark and the offset at its end', () => {
  const offset = fc.integer({ min: 0, max: 50 })
  fc.assert(
    fc.property(offset, offset, offset, fc.option(offset), (low, span, atEnd, mark) => {
      const high = low + span
      const held = isHeld({
        low: String(low),
        high: String(high),
        atEnd: [[DAY, String(atEnd)]],
        marks: mark === null ? [] : [[DAY, String(mark)]],
      })
      const isMarkHolding = mark !== null && mark <= high && low < mark
      assert.equal(held, isMarkHolding || low < atEnd)
    }),
  )
})

test('offsets are compared as numbers, beyond what a double can hold', () => {
  const atEnd: [string, string][] = [[DAY, '9007199254740993']]
  assert.equal(isHeld({ low: '9007199254740992', high: '9007199254740999', atEnd }), true)
  assert.equal(isHeld({ low: '9007199254740993', high: '9007199254740999', atEnd }), false)
  assert.equal(isHeld({ low: '9', high: '20', atEnd: [[DAY, '10']] }), true)
})

test('a day that the broker was not asked about is held', () => {
  assert.equal(isHeld({ low: '5', high: '9' }), true)
  assert.equal(isHeld({ partitions: [] }), true)
})

test('one topic partition is enough to hold a day', () => {
  const free = { partition: 0, low: '5', high: '9', marks: new Map(), offsetsAtEnd: new Map([[DAY, '5']]) }
  const holding = { ...free, partition: 7, low: '4' }
  const hold = holdOf(topicOf({ partitions: [free, holding] }), DAY, NOW_MS, false)
  assert.equal(hold, 'payments[7] still holds offset 4, written before 2026-11-21 00:00')
})

test('a topic that could not be asked holds every day, whoever gave the retention', () => {
  assert.equal(isHeld({ presence: 'unreachable' }, true), true)
  assert.equal(isHeld({ presence: 'vanished', settings: null }, true), true)
})

test('a topic that has vanished holds a day until its retention is over since it was last seen', () => {
  const vanished = (seenAtMs: number): boolean => isHeld({ presence: 'vanished', seenAtMs })
  assert.equal(vanished(NOW_MS - 7 * DAY_MS + 1), true)
  assert.equal(vanished(NOW_MS - 7 * DAY_MS), false)
})
