import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeEvent } from '../../src/consumer/decode-event.ts'
import type { KafkaRecord } from '../../src/kafka/kafka-record.ts'
import { eventOf } from './samples.ts'

function decode(record: Partial<KafkaRecord>) {
  const decoded = decodeEvent(eventOf({ offset: '9007199254740993', record }), 'payments', 3)
  return 'handlerEvent' in decoded ? decoded.handlerEvent : decoded.refusal
}

test('a handler gets what the record holds, with the offset as text', () => {
  const timestamp = Date.UTC(2026, 7, 1, 23, 59, 59, 999)
  const event = decode({ key: Buffer.from('käse'), value: Buffer.from('[1]'), timestamp: String(timestamp) })
  assert.deepEqual(event, {
    eventId: 'evt-42',
    topic: 'payments',
    partition: 3,
    offset: '9007199254740993',
    recordTimestamp: new Date(timestamp),
    markerDay: '2026-08-01',
    key: 'käse',
    value: [1],
    headers: { 'event-id': 'evt-42' },
  })
})

test('a tombstone has the value null, and a record may lack its key', () => {
  const event = decode({ key: null, value: null })
  assert.ok(typeof event === 'object')
  assert.deepEqual([event.key, event.value], [null, null])
})

test('a key or a value that is no text, and a value that is no JSON, are refused without quoting them', () => {
  assert.match(String(decode({ key: Buffer.from([0xff]) })), /key is not valid UTF-8/)
  assert.match(String(decode({ value: Buffer.from([0xff]) })), /value is not valid UTF-8/)
  assert.match(String(decode({ value: Buffer.from('{"card":4111') })), /not JSON \(SyntaxError, 12 bytes\)/)
  assert.match(String(decode({ value: Buffer.alloc(0) })), /not JSON/)
})

test('headers are text; several values are an array, and one without a value is null', () => {
  const event = decode({
    headers: {
      plain: Buffer.from('a'),
      several: [Buffer.from('a'), null, Buffer.from('b')],
      absent: null,
      ['__proto__']: Buffer.from('p'),
      // kafkajs puts what its object inherits in front.
      constructor: [Object, Buffer.from('c')] as unknown as Buffer[],
    },
  })
  assert.ok(typeof event === 'object')
  assert.deepEqual(Object.entries(event.headers), [
    ['plain', 'a'],
    ['several', ['a', null, 'b']],
    ['absent', null],
    ['__proto__', 'p'],
    ['constructor', 'c'],
  ])
})
