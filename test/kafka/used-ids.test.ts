import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsedIds } from '../../src/kafka/used-ids.ts'

test('an id is taken once, together with others or alone, and none of a refused lot is', () => {
  const used = new UsedIds(10)
  used.take(['a', 'b'])
  assert.throws(() => used.take(['c', 'b']), { name: 'IdReusedError', eventId: 'b' })
  assert.throws(() => used.take(['d', 'd']), { eventId: 'd' })
  used.take(['c', 'd'])
  used.giveBack(['c'])
  used.take(['c'])
})

test('the oldest is forgotten where there are too many', () => {
  const used = new UsedIds(2)
  used.take(['a'])
  used.take(['b', 'c'])
  used.take(['a'])
  assert.throws(() => used.take(['c']), { eventId: 'c' })
})
