import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { test } from 'node:test'
import { createSampleStream } from '../../../examples/payments/sample-stream.ts'
import { seededRandom } from '../../../examples/payments/seeded-random.ts'
import { idTimeOf } from '../../../src/consumer/id-time.ts'
import type { RecordToSend } from '../../../src/kafka/kafka-producer.ts'

const STARTED_AT_MS = Date.UTC(2026, 10, 30, 23, 59, 0)

test('the same seed gives the same records', () => {
  assert.deepEqual(recordsOf({ seed: 7, seconds: 10 }), recordsOf({ seed: 7, seconds: 10 }))
  assert.notDeepEqual(recordsOf({ seed: 7, seconds: 10 }), recordsOf({ seed: 8, seconds: 10 }))
})

test('the rate is steady, with a burst of three seconds in each minute', () => {
  const perSecond = countBySecond(recordsOf({ seed: 1, seconds: 60, perSecond: 100 }))
  for (const [second, count] of perSecond.entries()) {
    const expected = second >= 20 && second < 23 ? 500 : 100
    assert.ok(
      Math.abs(count - expected) <= 10,
      `expected about ${expected} in second ${second}, got ${count}`,
    )
  }
})

test('timestamps go with the clock, and never back except on a repeated record', () => {
  const seen = new Set<RecordToSend>()
  let latestMs = STARTED_AT_MS
  for (const record of recordsOf({ seed: 2, seconds: 60 })) {
    const timestampMs = record.timestampMs ?? 0
    if (!seen.has(record)) assert.ok(timestampMs >= latestMs)
    seen.add(record)
    latestMs = Math.max(latestMs, timestampMs)
  }
  assert.ok(latestMs <= STARTED_AT_MS + 60_000)
})

test('a payment is JSON of an account and an amount in cents, with a UUIDv7 of its time in the header event-id', () => {
  const [record] = recordsOf({ seed: 3, seconds: 1 })
  const { account, amountCents } = JSON.parse(String(record?.value))
  assert.match(account, /^acct_\d+$/)
  assert.ok(Number.isInteger(amountCents) && amountCents > 0)
  assert.equal(record?.key, account)
  assert.equal(idTimeOf(String(record?.headers?.['event-id'])), record?.timestampMs)
})

test('about 0.3 % of the records carry an id that was there before, with the value it had', () => {
  const records = recordsOf({ seed: 4, seconds: 600, perSecond: 500 })
  const values = new Map<string, unknown>()
  let again = 0
  let republished = 0
  for (const record of records) {
    const id = record.headers?.['event-id']
    if (typeof id !== 'string') continue
    if (values.has(id)) {
      again += 1
      if (record.timestampMs !== idTimeOf(id)) republished += 1
      assert.equal(record.value, values.get(id))
    }
    values.set(id, record.value)
  }
  const share = again / records.length
  assert.ok(share > 0.002 && share < 0.004, `expected a share near 0.003, got ${share}`)
  assert.ok(republished > again / 4 && republished < (again * 3) / 4)
})

test('a few records are broken: without an id, with an id that is no UTF-8, with a value that is no JSON', () => {
  const found = { withoutId: 0, badId: 0, undecodable: 0 }
  const records = recordsOf({ seed: 5, seconds: 600, perSecond: 500 })
  for (const { headers, value } of records) {
    const id = headers?.['event-id']
    if (id === undefined) found.withoutId += 1
    else if (Buffer.isBuffer(id) && !isUtf8(id)) found.badId += 1
    else if (!isJson(String(value))) found.undecodable += 1
  }
  const counts = Object.values(found)
  assert.ok(
    counts.every((count) => count > 0),
    JSON.stringify(found),
  )
  assert.ok(counts.reduce((sum, count) => sum + count) / records.length < 0.001)
})

test('after a pause it goes on and does not make up for more than a second', () => {
  const stream = createSampleStream({ random: seededRandom(6), startedAtMs: STARTED_AT_MS, perSecond: 100 })
  assert.equal(stream.recordsUntil(STARTED_AT_MS + 600_000).length, 100)
})

test('a clock that stands still or goes back brings nothing', () => {
  const stream = createSampleStream({ random: seededRandom(6), startedAtMs: STARTED_AT_MS, perSecond: 100 })
  assert.equal(stream.recordsUntil(STARTED_AT_MS + 500).length, 50)
  assert.equal(stream.recordsUntil(STARTED_AT_MS + 500).length, 0)
  assert.equal(stream.recordsUntil(STARTED_AT_MS + 100).length, 0)
})

function recordsOf({ seed = 1, seconds = 1, perSecond = 200 }): RecordToSend[] {
  const stream = createSampleStream({ random: seededRandom(seed), startedAtMs: STARTED_AT_MS, perSecond })
  return Array.from({ length: seconds * 10 }, (_, tick) =>
    stream.recordsUntil(STARTED_AT_MS + (tick + 1) * 100),
  ).flat()
}

function countBySecond(records: readonly RecordToSend[]): number[] {
  const counts: number[] = []
  for (const { timestampMs = 0 } of records) {
    // A record's time is the end of its share of a tick, so a whole second still belongs to the one before it.
    const second = Math.ceil((timestampMs - STARTED_AT_MS) / 1_000) - 1
    counts[second] = (counts[second] ?? 0) + 1
  }
  return counts
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // That it does not parse is the answer.
    return false
  }
}
