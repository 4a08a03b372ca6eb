import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitMsOf } from '../../src/consumer/waiting.ts'

test('waits double from a second up to the longest, and stay there', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 100, 5_000].map((nth) => waitMsOf(nth, 30_000))
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000])
})

test('no wait is longer than the longest, also where that is below a second', () => {
  assert.equal(waitMsOf(1, 500), 500)
})
