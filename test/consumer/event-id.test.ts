import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readEventId } from '../../src/consumer/event-id.ts'
import type { KafkaHeaders, KafkaRecord } from '../../src/kafka/kafka-record.ts'
import { identityOf, recordOf } from './samples.ts'

const fromKey = identityOf({ eventId: { kind: 'key' } })

function ofHeaders(headers: KafkaHeaders): ReturnType<typeof readEventId> {
  return readEventId(recordOf({ headers }), 'payments', identityOf())
}

function ofFunction(
  of: (record: KafkaRecord, topic: string) => string | null,
): ReturnType<typeof readEventId> {
  return readEventId(recordOf(), 'payments', identityOf({ eventId: { kind: 'function', of } }))
}

function refusalOf(reading: ReturnType<typeof readEventId>): string {
  assert.ok('refusal' in reading, JSON.stringify(reading))
  return reading.refusal
}

describe('an event id is read from', () => {
  test('the header that is named', () => {
    assert.deepEqual(ofHeaders({ 'event-id': Buffer.from('evt-1') }), { eventId: 'evt-1' })
    const settings = identityOf({ eventId: { kind: 'header', name: 'x-id' } })
    const record = recordOf({ headers: { 'x-id': Buffer.from('evt-2') } })
    assert.deepEqual(readEventId(record, 'payments', settings), { eventId: 'evt-2' })
  })

  test('the header of CloudEvents where the named one is absent', () => {
    assert.deepEqual(ofHeaders({ ce_id: Buffer.from('cloud') }), { eventId: 'cloud' })
    assert.deepEqual(ofHeaders({ ce_id: Buffer.from('cloud'), 'event-id': Buffer.from('own') }), {
      eventId: 'own',
    })
  })

  test('the key', () => {
    assert.deepEqual(readEventId(recordOf({ key: Buffer.from('key-1') }), 'payments', fromKey), {
      eventId: 'key-1',
    })
  })

  test('a function, which is given the topic too', () => {
    assert.deepEqual(
      ofFunction((record, topic) => `${topic}-${record.offset}`),
      { eventId: 'payments-0' },
    )
  })
})

describe('an event id is refused where', () => {
  test('the header or the key is absent', () => {
    assert.match(refusalOf(ofHeaders({})), /no header "event-id"/)
    assert.match(
      refusalOf(readEventId(recordOf({ headers: undefined }), 'payments', identityOf())),
      /no header/,
    )
    assert.match(refusalOf(readEventId(recordOf({ key: null }), 'payments', fromKey)), /no key/)
  })

  test('the header has no value, which Kafka allows', () => {
    assert.match(refusalOf(ofHeaders({ 'event-id': null })), /"event-id" has no value/)
    assert.match(refusalOf(ofHeaders({ 'event-id': [null] })), /"event-id" has no value/)
  })

  test('the header has several values', () => {
    assert.match(refusalOf(ofHeaders({ 'event-id': [Buffer.from('a'), Buffer.from('b')] })), /has 2 values/)
    assert.match(refusalOf(ofHeaders({ 'event-id': [Buffer.from('a'), null] })), /has 2 values/)
    assert.deepEqual(ofHeaders({ 'event-id': [Buffer.from('only')] }), { eventId: 'only' })
  })

  test('it is empty', () => {
    assert.match(refusalOf(ofHeaders({ 'event-id': Buffer.alloc(0) })), /is empty/)
    assert.match(refusalOf(ofFunction(() => '')), /is empty/)
  })

  test('it has more than 255 bytes, however few characters these are', () => {
    assert.deepEqual(
      ofFunction(() => 'x'.repeat(255)),
      { eventId: 'x'.repeat(255) },
    )
    assert.match(refusalOf(ofFunction(() => 'x'.repeat(256))), /has 256 bytes/)
    assert.deepEqual(
      ofFunction(() => '€'.repeat(85)),
      { eventId: '€'.repeat(85) },
    )
    assert.match(refusalOf(ofFunction(() => '€'.repeat(86))), /has 258 bytes/)
    assert.match(refusalOf(ofFunction(() => '🂡'.repeat(64))), /has 256 bytes/)
  })

  test('it contains NUL', () => {
    assert.match(refusalOf(ofHeaders({ 'event-id': Buffer.from('a\0b') })), /contains NUL/)
    assert.match(refusalOf(ofFunction(() => '\0')), /contains NUL/)
  })

  test('its text has a lone surrogate, wherever it comes from', () => {
    assert.match(refusalOf(ofFunction(() => 'a\ud800')), /lone surrogate/)
    assert.match(refusalOf(ofHeaders({ 'event-id': 'a\ud800' })), /lone surrogate/)
  })

  test('the function finds none, gives no text, or throws anything', () => {
    assert.match(refusalOf(ofFunction(() => null)), /found none/)
    assert.match(refusalOf(ofFunction(() => 42 as unknown as string)), /found none/)
    assert.match(refusalOf(ofFunction(() => Promise.resolve('later') as unknown as string)), /found none/)
    assert.match(
      refusalOf(
        ofFunction(() => {
          throw new TypeError('no such field')
        }),
      ),
      /threw: no such field/,
    )
    assert.match(
      refusalOf(
        ofFunction(() => {
          throw undefined
        }),
      ),
      /threw: undefined/,
    )
  })
})

test('bytes that are no UTF-8 are refused, never mended', () => {
  const broken = [
    [0xff],
    [0xc3],
    [0xc3, 0x28],
    [0xe2, 0x82],
    [0xed, 0xa0, 0x80],
    [0xc0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
  ]
  for (const bytes of broken) {
    assert.match(refusalOf(ofHeaders({ 'event-id': Buffer.from(bytes) })), /not valid UTF-8/)
  }
})

test('any bytes give an id that is exactly these bytes, or none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const reading = ofHeaders({ 'event-id': Buffer.from(bytes) })
      if ('refusal' in reading) return
      assert.deepEqual(Buffer.from(reading.eventId), Buffer.from(bytes))
      assert.ok(bytes.length >= 1 && bytes.length <= 255)
      assert.ok(!bytes.includes(0))
    }),
    { numRuns: 2_000 },
  )
})

test('two different values never give one id', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 8 }), fc.uint8Array({ maxLength: 8 }), (one, other) => {
      const [a, b] = [one, other].map((bytes) => ofHeaders({ 'event-id': Buffer.from(bytes) }))
      if (a === undefined || b === undefined || 'refusal' in a || 'refusal' in b) return
      assert.equal(a.eventId === b.eventId, Buffer.from(one).equals(Buffer.from(other)))
    }),
    { numRuns: 2_000 },
  )
})
