import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ConsumerSettings, DEFAULT_CONSUMER_SETTINGS } from '../../src/consumer/consumer-settings.ts'
import { cutBatches } from '../../src/consumer/cut-batches.ts'
import type { Batch } from '../../src/consumer/event.ts'
import type { FetchedRecords, KafkaRecord } from '../../src/kafka/kafka-record.ts'
import { recordOf } from './samples.ts'

function settingsOf(batchRows: number, batchBytes: number): ConsumerSettings {
  return { ...DEFAULT_CONSUMER_SETTINGS, group: 'g', topics: ['payments'], batchRows, batchBytes }
}

function fetchedOf(records: readonly KafkaRecord[], lastOffset: string): FetchedRecords {
  return { topic: 'payments', partition: 3, records, lastOffset, highWatermark: '1000' }
}

function bytesOf({ key, value }: KafkaRecord): number {
  return (key?.length ?? 0) + (value?.length ?? 0)
}

function recordsOf(batch: Batch): KafkaRecord[] {
  const records = [...batch.events, ...batch.unidentified].map(({ record }) => record)
  return records.sort((a, b) => Number(a.offset) - Number(b.offset))
}

const fetches = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 3 }),
      size: fc.oneof(fc.integer({ min: 0, max: 10 }), fc.constant(200)),
      isWhole: fc.boolean(),
      isTombstone: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((drafts) => {
    let offset = 0
    return drafts.map(({ gap, size, isWhole, isTombstone }) => {
      offset += gap
      return recordOf({
        offset: String(offset),
        key: isTombstone ? Buffer.alloc(size) : null,
        value: isTombstone ? null : Buffer.alloc(size),
        headers: isWhole ? { 'event-id': Buffer.from(`evt-${offset}`) } : {},
      })
    })
  })

test('nothing is lost, and the order is kept, however a fetch is cut', () => {
  fc.assert(
    fc.property(
      fetches,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 100 }),
      (records, rows, bytes) => {
        const last = records.at(-1)?.offset ?? '0'
        const batches = [...cutBatches(fetchedOf(records, last), settingsOf(rows, bytes))]
        assert.deepEqual(batches.flatMap(recordsOf), records)
        for (const batch of batches) {
          const own = recordsOf(batch)
          assert.ok(own.length >= 1 && own.length <= rows)
          assert.ok(own.length === 1 || own.reduce((sum, record) => sum + bytesOf(record), 0) <= bytes)
          assert.equal(batch.firstOffset, own[0]?.offset)
          assert.equal(batch.lastOffset, own.at(-1)?.offset)
          const offsets = batch.events.map(({ record }) => Number(record.offset))
          assert.deepEqual(
            offsets,
            offsets.toSorted((a, b) => a - b),
          )
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('no batch is smaller than it has to be', () => {
  fc.assert(
    fc.property(
      fetches,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 100 }),
      (records, rows, bytes) => {
        const batches = [...cutBatches(fetchedOf(records, '9999'), settingsOf(rows, bytes))].map(recordsOf)
        for (const [index, batch] of batches.slice(0, -1).entries()) {
          const [next] = batches[index + 1] ?? []
          assert.ok(next)
          const withNext = [...batch, next].reduce((sum, record) => sum + bytesOf(record), 0)
          assert.ok(batch.length === rows || withNext > bytes)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('the last batch also covers what the fetch held beyond its last record', () => {
  const records = ['0', '1', '6', '7'].map((offset) => recordOf({ offset }))
  const batches = [...cutBatches(fetchedOf(records, '11'), settingsOf(2, 1_000))]
  assert.deepEqual(
    batches.map(({ firstOffset, lastOffset }) => [firstOffset, lastOffset]),
    [
      ['0', '1'],
      ['6', '11'],
    ],
  )
})

test('a record larger than a batch may be goes alone', () => {
  const records = [10, 500, 10].map((size, offset) =>
    recordOf({ offset: String(offset), key: null, value: Buffer.alloc(size) }),
  )
  const batches = [...cutBatches(fetchedOf(records, '2'), settingsOf(100, 100))]
  assert.deepEqual(
    batches.map((batch) => recordsOf(batch).length),
    [1, 1, 1],
  )
})

test('a fetch without records has no batches', () => {
  assert.deepEqual([...cutBatches(fetchedOf([], '11'), settingsOf(10, 10))], [])
})

test('records without an identity stand apart, with their reason, and cover their offsets all the same', () => {
  const records = [
    recordOf({ offset: '4', headers: {} }),
    recordOf({ offset: '5', timestamp: '-99999999999999999' }),
  ]
  const [batch] = cutBatches(fetchedOf(records, '5'), settingsOf(10, 1_000))
  assert.deepEqual(batch?.events, [])
  assert.deepEqual(
    batch?.unidentified.map(({ reason }) => reason),
    ['bad-id', 'bad-time'],
  )
  assert.deepEqual([batch?.firstOffset, batch?.lastOffset], ['4', '5'])
})
