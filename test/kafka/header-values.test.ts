import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerValuesOf } from '../../src/kafka/header-values.ts'
import type { KafkaHeaders } from '../../src/kafka/kafka-record.ts'

const [a, b] = [Buffer.from('a'), Buffer.from('b')]

test('one value, several and none are a list', () => {
  const headers: KafkaHeaders = { one: a, several: [a, null, b], none: null, text: 'c' }
  assert.deepEqual(headerValuesOf(headers, 'one'), [a])
  assert.deepEqual(headerValuesOf(headers, 'several'), [a, null, b])
  assert.deepEqual(headerValuesOf(headers, 'none'), [null])
  assert.deepEqual(headerValuesOf(headers, 'text'), ['c'])
  assert.deepEqual(headerValuesOf(headers, 'absent'), [])
})

test('a name that every object inherits is a header only where the record has it', () => {
  assert.deepEqual(headerValuesOf({}, 'constructor'), [])
  assert.deepEqual(headerValuesOf({ constructor: [Object, a] as unknown as Buffer[] }, 'constructor'), [a])
})
