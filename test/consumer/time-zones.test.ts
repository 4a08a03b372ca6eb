import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inEachTimeZone } from './time-zones.ts'

test('the zone of the process changes for the work that is run in it, and is back afterwards', () => {
  const before = process.env.TZ
  const hours = new Set<number>()
  inEachTimeZone(() => hours.add(new Date(0).getHours()))
  assert.deepEqual([...hours].sort(), [0, 13, 19, 5].sort())
  assert.equal(process.env.TZ, before)
})
