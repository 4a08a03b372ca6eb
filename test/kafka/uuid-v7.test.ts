import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { idTimeOf } from '../../src/consumer/id-time.ts'
import { createUuidV7 } from '../../src/kafka/uuid-v7.ts'

const NOON = Date.UTC(2026, 7, 1, 12)

test('an id is a UUIDv7 that carries its time', () => {
  const id = createUuidV7(() => NOON + 0.7, randomBytes)()
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(idTimeOf(id), NOON)
})

test('ids grow from one to the next: within a millisecond, beyond what its counter holds, and when the clock goes back', () => {
  let nowMs = NOON
  const newId = createUuidV7(() => nowMs, randomBytes)
  const ids = Array.from({ length: 10_000 }, (_, index) => {
    if (index === 7_000) nowMs -= 3_600_000
    if (index === 9_000) nowMs = NOON + 1_000
    return newId()
  })
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(idTimeOf(ids.at(-1) ?? ''), NOON + 1_000)
})
