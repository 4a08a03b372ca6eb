import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type VerdictFacts, verdictOf } from '../../src/commands/verdict.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const TABLE = {
  table: 'daymark.processed_events',
  isPartitioned: true,
  runwayDays: 7,
  isDetachPending: false,
  oldestAgeMs: 9 * DAY_MS + 4 * HOUR_MS,
  marginMs: 2 * DAY_MS,
}

const WELL: VerdictFacts = {
  tables: [TABLE],
  replayableMs: 7 * DAY_MS + 2 * HOUR_MS,
  groups: [{ lostRecords: '0' }],
  deadLetters: [],
  complaints: [],
}

test('what is well is said with how far both sides reach', () => {
  assert.deepEqual(verdictOf(WELL), {
    level: 'safe',
    sentence: 'Safe: markers reach back 9 d 4 h, the broker can redeliver 7 d 2 h, margin 2 d 2 h',
    advice: [],
  })
})

test('a missing tomorrow is unsafe, and comes before everything else', () => {
  const tables = [{ ...TABLE, runwayDays: 0 }]
  const { level, sentence, advice } = verdictOf({ ...WELL, tables, deadLetters: [{ waiting: 2 }] })
  assert.equal(level, 'unsafe')
  assert.equal(
    sentence,
    'Unsafe: daymark.processed_events has no partition for tomorrow; 2 dead letters wait',
  )
  assert.match(advice[0] ?? '', /daymark apply/)
})

test('a table without a partition for today is unsafe, and one without partitions is not', () => {
  const gone = { ...TABLE, runwayDays: -1 }
  assert.match(verdictOf({ ...WELL, tables: [gone] }).sentence, /^Unsafe: .* no partition for today$/)
  assert.equal(verdictOf({ ...WELL, tables: [{ ...gone, isPartitioned: false }] }).level, 'safe')
})

test('what asks for a look, and no more, is attention', () => {
  const cases: [Partial<VerdictFacts>, RegExp][] = [
    [{ tables: [{ ...TABLE, runwayDays: 2 }] }, /for 2 d only/],
    [{ tables: [{ ...TABLE, isDetachPending: true }] }, /a detach of .* was begun and not finished/],
    [{ tables: [{ ...TABLE, marginMs: -DAY_MS }] }, /reach 1 d less far back/],
    [{ groups: [{ lostRecords: '3' }] }, /deleted by the broker before they were read/],
    [{ complaints: ['the broker is away'] }, /the broker is away/],
  ]
  for (const [change, sentence] of cases) {
    const verdict = verdictOf({ ...WELL, ...change })
    assert.deepEqual([verdict.level, verdict.advice.length], ['attention', 1])
    assert.match(verdict.sentence, sentence)
  }
})
