import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConsumerHealth, consumerReadiness, watchProgress } from '../../src/http/consumer-checks.ts'

function healthWith(given: Partial<ConsumerHealth['partitions'][number]>, joined = true): ConsumerHealth {
  const partition = {
    topic: 'payments',
    partition: 2,
    state: 'reading',
    waitingFor: null,
    nextOffset: '10',
    lag: 5,
  } as const
  return { joined, partitions: [{ ...partition, ...given }] }
}

test('lag without progress turns liveness red once it has lasted long enough, and progress turns it back', () => {
  const findProgress = watchProgress(60_000)
  assert.equal(findProgress(healthWith({}), 0).ok, true)
  assert.equal(findProgress(healthWith({}), 60_000).ok, true)
  assert.deepEqual(findProgress(healthWith({}), 60_001), {
    ok: false,
    found: 'no progress in spite of lag: payments[2]',
  })
  assert.equal(findProgress(healthWith({ nextOffset: '11' }), 60_002).ok, true)
})

test('a quiet topic is alive however long it is quiet, and its first record afterwards too', () => {
  const findProgress = watchProgress(60_000)
  assert.equal(findProgress(healthWith({ lag: 0 }), 0).ok, true)
  assert.equal(findProgress(healthWith({ lag: 0 }), 10_000_000).ok, true)
  assert.equal(findProgress(healthWith({ lag: 1 }), 10_000_001).ok, true)
})

test('a partition that waits on purpose is alive, and not ready', async () => {
  const waiting = healthWith({ state: 'waiting', waitingFor: 'missing-partition' })
  const findProgress = watchProgress(0)
  findProgress(waiting, 0)
  assert.equal(findProgress(waiting, 10_000_000).ok, true)
  const checks = consumerReadiness(() => waiting)
  assert.deepEqual(await checks[1]?.ask(), { ok: false, found: 'payments[2] waits: missing-partition' })
})

test('a member that has not joined is alive, and not ready', async () => {
  const checks = consumerReadiness(() => ({ joined: false, partitions: [] }))
  assert.deepEqual(await checks[0]?.ask(), { ok: false, found: 'not joined' })
  assert.equal(watchProgress(0)({ joined: false, partitions: [] }, 0).ok, true)
})
