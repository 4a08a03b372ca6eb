import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import type { IdentitySettings } from '../../src/consumer/consumer-settings.ts'
import { identify } from '../../src/consumer/identify.ts'
import type { KafkaRecord } from '../../src/kafka/kafka-record.ts'
import { identityOf, recordOf } from './samples.ts'
import { inEachTimeZone } from './time-zones.ts'

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array))
const records: fc.Arbitrary<KafkaRecord> = fc.record({
  offset: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
  timestamp: fc
    .oneof(fc.integer({ min: -1, max: 2 ** 41 }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }))
    .map(String),
  key: fc.option(bytes),
  value: fc.option(bytes),
  headers: fc.oneof(
    fc.dictionary(fc.string(), fc.oneof(bytes, fc.constant(null), fc.array(fc.option(bytes)))),
    fc
      .oneof(bytes, fc.uuid({ version: 7 }).map(Buffer.from), fc.ulid().map(Buffer.from))
      .map((id) => ({ 'event-id': id })),
  ),
})
const settings: fc.Arbitrary<IdentitySettings> = fc.record({
  eventId: fc.constantFrom<IdentitySettings['eventId']>(
    { kind: 'header', name: 'event-id' },
    { kind: 'key' },
  ),
  markerDay: fc.constantFrom<IdentitySettings['markerDay']>('record-timestamp', 'event-id'),
  idScope: fc.constantFrom('group', 'topic'),
  overlapMs: fc.constantFrom(0, 900_000, 43_200_000),
})

test('the same record has the same id and days, always, whatever the zone of the process', () => {
  fc.assert(
    fc.property(records, settings, (record, given) => {
      const found = new Set<string>()
      inEachTimeZone(() => found.add(JSON.stringify(identify(structuredCloneOf(record), 'payments', given))))
      assert.equal(found.size, 1, [...found].join('\n'))
    }),
    { numRuns: 300 },
  )
})

test('no record, whatever it holds, makes it throw', () => {
  fc.assert(
    fc.property(records, settings, (record, given) => {
      const identified = identify(record, 'payments', given)
      if ('dead' in identified) assert.match(identified.dead.reason, /^bad-(id|time)$/)
    }),
    { numRuns: 2_000 },
  )
})

test('under the scope of the topic an id belongs to its topic, and no two pairs read alike', () => {
  const scoped = identityOf({ idScope: 'topic' })
  const idIn = (topic: string, id: string): string => {
    const identified = identify(recordOf({ headers: { 'event-id': Buffer.from(id) } }), topic, scoped)
    assert.ok('event' in identified)
    return identified.event.eventId
  }
  assert.equal(idIn('payments', 'evt-42'), 'payments/evt-42')
  assert.notEqual(idIn('a', 'b/c'), idIn('a.b', 'c'))
  const topics = fc.stringMatching(/^[a-zA-Z0-9._-]{1,20}$/)
  const ids = fc.string({ minLength: 1, maxLength: 20 }).filter((id) => !id.includes('\0'))
  fc.assert(
    fc.property(topics, ids, topics, ids, (topic, id, other, otherId) => {
      assert.equal(idIn(topic, id) === idIn(other, otherId), topic === other && id === otherId)
    }),
  )
})

test('the day of an id is read from the id itself, not from its topic before it', () => {
  const id = Buffer.from('017F22E2-79B0-7CC3-98C4-DC0C0C07398F')
  const given = identityOf({ idScope: 'topic', markerDay: 'event-id' })
  const identified = identify(recordOf({ headers: { 'event-id': id } }), 'payments', given)
  assert.ok('event' in identified)
  assert.equal(identified.event.markerDay, '2022-02-22')
})

test('the checksum of the value fits the integer of PostgreSQL, and a tombstone has none', () => {
  const crcOf = (value: Buffer | null): number | null => {
    const identified = identify(recordOf({ value }), 'payments', identityOf())
    assert.ok('event' in identified)
    return identified.event.valueCrc32
  }
  assert.equal(crcOf(null), null)
  assert.equal(crcOf(Buffer.alloc(0)), 0)
  // The check value of CRC-32/ISO-HDLC is 0xcbf43926.
  assert.equal(crcOf(Buffer.from('123456789')), 0xcbf43926 - 2 ** 32)
  fc.assert(
    fc.property(bytes, (value) => {
      const crc = crcOf(value) ?? Number.NaN
      assert.ok(crc >= -(2 ** 31) && crc < 2 ** 31)
      assert.equal(crc >>> 0, crc32(value))
    }),
  )
})

/** Another delivery of the same record: equal bytes, other buffers. */
function structuredCloneOf(record: KafkaRecord): KafkaRecord {
  return {
    ...record,
    key: record.key && Buffer.from(record.key),
    value: record.value && Buffer.from(record.value),
  }
}
