import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSequence, sequenceText } from '../../src/kafka/sequence-header.ts'

test('what is written is read back', () => {
  const sequence = { producer: 'payments-api.2 \u00fc', session: Date.UTC(2026, 7, 1), number: 1 }
  assert.deepEqual(parseSequence(sequenceText(sequence)), sequence)
})

test('anything else is no sequence', () => {
  const garbage = [
    '',
    'a',
    'a/1',
    'a/1/0',
    'a/1/-1',
    'a/1/1.5',
    'a/1/1/1',
    '/1/1',
    'a/x/1',
    `${'x'.repeat(101)}/1/1`,
  ]
  for (const text of [...garbage, 'a/1/9999999999999999', 'a\0/1/1', '\ud800/1/1', ' a/1/1\n']) {
    assert.equal(parseSequence(text), null, text)
  }
})
