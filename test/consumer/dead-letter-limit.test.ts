import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exceedsDeadLetterLimit, type FailureShare, withBatch } from '../../src/consumer/dead-letter-limit.ts'

const LIMIT = 0.1

/** Batches in turn, as a topic partition sees them; says at which one it stopped, if it did. */
function stoppedAt(batches: readonly FailureShare[], limit = LIMIT): number | null {
  let recent: FailureShare[] = []
  for (const [index, batch] of batches.entries()) {
    if (exceedsDeadLetterLimit(recent, batch, limit)) return index
    recent = withBatch(recent, batch)
  }
  return null
}

test('a batch without failures never exceeds the limit, whatever was before it', () => {
  assert.equal(exceedsDeadLetterLimit([{ fresh: 100, failed: 100 }], { fresh: 0, failed: 0 }, 0), false)
  assert.equal(exceedsDeadLetterLimit([{ fresh: 100, failed: 100 }], { fresh: 50, failed: 0 }, 0), false)
})

test("a few failures are the events' own, also where the topic is quiet or the limit is nothing", () => {
  const bad = { fresh: 1, failed: 1 }
  assert.equal(stoppedAt([bad, bad, bad]), null)
  assert.equal(stoppedAt([{ fresh: 1_000, failed: 3 }], 0), null)
})

test('a quiet topic whose events all fail stops at the fourth', () => {
  assert.equal(stoppedAt(Array.from({ length: 10 }, () => ({ fresh: 1, failed: 1 }))), 3)
})

test('a batch of several in which every event failed says that the handler is broken, however good the past', () => {
  assert.equal(exceedsDeadLetterLimit([{ fresh: 5_000, failed: 0 }], { fresh: 20, failed: 20 }, LIMIT), true)
  assert.equal(exceedsDeadLetterLimit([{ fresh: 5_000, failed: 0 }], { fresh: 1, failed: 1 }, LIMIT), false)
})

test('a share at the limit passes, and one above it does not', () => {
  assert.equal(exceedsDeadLetterLimit([], { fresh: 100, failed: 10 }, LIMIT), false)
  assert.equal(exceedsDeadLetterLimit([], { fresh: 100, failed: 11 }, LIMIT), true)
  assert.equal(exceedsDeadLetterLimit([{ fresh: 900, failed: 90 }], { fresh: 100, failed: 10 }, LIMIT), false)
  assert.equal(exceedsDeadLetterLimit([{ fresh: 900, failed: 91 }], { fresh: 100, failed: 10 }, LIMIT), true)
})

test('a limit of 1 lets all pass but a batch that failed as a whole', () => {
  assert.equal(
    stoppedAt(
      Array.from({ length: 50 }, () => ({ fresh: 10, failed: 9 })),
      1,
    ),
    null,
  )
})

test('failures are forgotten once a thousand events lie behind them', () => {
  const recent = withBatch(withBatch([], { fresh: 40, failed: 40 }), { fresh: 1_000, failed: 0 })
  assert.deepEqual(recent, [{ fresh: 1_000, failed: 0 }])
})

test('what is looked back upon covers the last thousand events where there were as many, with no batch more', () => {
  const batches = fc.array(fc.record({ fresh: fc.integer({ min: 0, max: 400 }), failed: fc.constant(0) }))
  fc.assert(
    fc.property(batches, (all) => {
      const recent = all.reduce<FailureShare[]>(withBatch, [])
      const eventsOf = (shares: readonly FailureShare[]): number =>
        shares.reduce((sum, { fresh }) => sum + fresh, 0)
      assert.ok(eventsOf(recent) >= Math.min(1_000, eventsOf(all)))
      assert.ok(eventsOf(recent.slice(1)) < 1_000)
    }),
  )
})
