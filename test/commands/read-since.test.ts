import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSince } from '../../src/commands/read-since.ts'

const NOW = Date.UTC(2026, 7, 1, 12)

test('a day, an instant and a length of time name an instant', () => {
  assert.equal(readSince('2026-07-30', NOW), Date.UTC(2026, 6, 30))
  assert.equal(readSince('2026-07-30T01:30Z', NOW), Date.UTC(2026, 6, 30, 1, 30))
  assert.equal(readSince('2026-07-30T01:30:05.5+02:00', NOW), Date.UTC(2026, 6, 29, 23, 30, 5, 500))
  assert.equal(readSince('2 hours', NOW), NOW - 7_200_000)
})

test('what could be read in two ways, or in none, is refused', () => {
  for (const text of [
    '',
    '5',
    '2026-07-30T01:30',
    '2026-02-30',
    '2026-02-30T00:00Z',
    '30.07.2026',
    'yesterday',
    '-2 hours',
  ]) {
    assert.throws(() => readSince(text, NOW), { name: 'UsageError' }, text)
  }
})
