import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance, nearestName } from '../../src/configuration/nearest-name.ts'

test('the distance counts letters put in, taken out and replaced', () => {
  assert.equal(editDistance('kitten', 'sitting'), 3)
  assert.equal(editDistance('', 'abc'), 3)
  assert.equal(editDistance('same', 'same'), 0)
})

test('a near name is guessed, in any case of letters, and a far one is not', () => {
  const known = ['consumer.batchRows', 'consumer.group', 'log.level']
  assert.equal(nearestName('consumer.batchrow', known), 'consumer.batchRows')
  assert.equal(nearestName('consumer.level', known), 'log.level')
  assert.equal(nearestName('x.entirelyDifferent', known), null)
})
