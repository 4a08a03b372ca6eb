import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationInWords, parseDuration } from '../../src/configuration/duration.ts'

test('durations are read with their unit, as people write them', () => {
  const lengths = {
    '7 days': 604_800_000,
    '15 minutes': 900_000,
    '500 ms': 500,
    '1h': 3_600_000,
    ' 2 s ': 2_000,
  }
  for (const [text, lengthMs] of Object.entries(lengths)) assert.equal(parseDuration(text), lengthMs, text)
})

test('a number without a unit, and anything else, is none', () => {
  for (const text of ['7', '7.5', '', ' ', 'week', '7 parsecs', 'Infinity', '0x10', 'x'.repeat(200)]) {
    assert.equal(parseDuration(text), null, text)
  }
})

test('what is written out is read back as the same length', () => {
  for (const lengthMs of [100, 10_000, 60_000, 900_000, 86_400_000]) {
    assert.equal(parseDuration(durationInWords(lengthMs)), lengthMs)
  }
})
