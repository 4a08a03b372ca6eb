import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countBetween, higherOf, isBefore, lowerOf, nextAfter } from '../../src/kafka/offset.ts'

const offsets = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 63n - 2n }),
  fc.bigInt({ min: 0n, max: 20n }),
  fc.bigInt({ min: 2n ** 53n - 5n, max: 2n ** 53n + 5n }),
)

test('offsets compare as the whole numbers that they are, also beyond 2^53', () => {
  fc.assert(
    fc.property(offsets, offsets, (a, b) => {
      assert.equal(isBefore(String(a), String(b)), a < b)
      const sorted = [lowerOf(String(a), String(b)), higherOf(String(a), String(b))]
      assert.deepEqual(sorted, (a < b ? [a, b] : [b, a]).map(String))
    }),
    { numRuns: 2_000 },
  )
  assert.ok(isBefore('9007199254740992', '9007199254740993'))
  assert.ok(isBefore('9', '10'))
})

test('the next offset is one higher, also beyond 2^53', () => {
  fc.assert(fc.property(offsets, (offset) => assert.equal(nextAfter(String(offset)), String(offset + 1n))))
  assert.equal(nextAfter('9007199254740992'), '9007199254740993')
  assert.equal(nextAfter('9223372036854775806'), '9223372036854775807')
})

test('a count is never negative, and small counts between large offsets are exact', () => {
  fc.assert(
    fc.property(offsets, fc.integer({ min: 0, max: 1_000_000 }), (from, count) => {
      assert.equal(countBetween(String(from), String(from + BigInt(count))), count)
      assert.equal(countBetween(String(from + BigInt(count)), String(from)), 0)
    }),
  )
})
