import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf, windowOf } from '../../src/consumer/window.ts'
import { inEachTimeZone } from './time-zones.ts'

test('the window opens after the fence and closes with the last day of the runway', () => {
  inEachTimeZone(() => {
    const window = windowOf('2026-07-20', '2026-07-28', 7)
    assert.deepEqual(window, { fence: '2026-07-20', lastDay: '2026-08-04' })
    assert.equal(placeOf('2025-12-31', window), 'expired')
    assert.equal(placeOf('2026-07-20', window), 'expired')
    assert.equal(placeOf('2026-07-21', window), 'open')
    assert.equal(placeOf('2026-08-04', window), 'open')
    assert.equal(placeOf('2026-08-05', window), 'future')
    assert.equal(placeOf('9999-12-31', window), 'future')
  })
})

test('before the first run of maintenance nothing has expired', () => {
  const window = windowOf(null, '2026-12-31', 1)
  assert.equal(window.lastDay, '2027-01-01')
  assert.equal(placeOf('0001-01-01', window), 'open')
})

test('a fence beyond the runway leaves no day open', () => {
  const window = windowOf('2026-08-10', '2026-08-01', 7)
  assert.equal(placeOf('2026-08-08', window), 'expired')
  assert.equal(placeOf('2026-08-10', window), 'expired')
  assert.equal(placeOf('2026-08-11', window), 'future')
})
