import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { headersText } from '../../src/consumer/dead-letter-columns.ts'
import { rebuildRecord } from '../../src/consumer/rebuild-record.ts'
import { headerValuesOf } from '../../src/kafka/header-values.ts'

test('every header comes back as it was set aside: several values, none, bytes that are no text, any name', () => {
  const value = fc.option(fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)))
  const name = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'toString', ''),
    fc.string({ maxLength: 5 }),
  )
  const pairs = fc.uniqueArray(fc.tuple(name, fc.array(value, { minLength: 1, maxLength: 3 })), {
    selector: ([given]) => given,
    maxLength: 5,
  })
  fc.assert(
    fc.property(pairs, (given) => {
      const usable = given.filter(([each]) => !each.includes('\0') && each.isWellFormed())
      const headers = Object.fromEntries(
        usable.map(([each, values]) => [each, values.length > 1 ? values : values[0]]),
      )
      const letter = {
        offset: '7',
        recordTimestampMs: '1',
        key: null,
        value: null,
        headers: JSON.parse(headersText(headers)),
      }
      const rebuilt = rebuildRecord(letter as unknown as Parameters<typeof rebuildRecord>[0])
      for (const [each, values] of usable)
        assert.deepEqual(headerValuesOf(rebuilt.headers ?? {}, each), values)
      assert.deepEqual(Object.keys(rebuilt.headers ?? {}).length, usable.length)
    }),
  )
})
