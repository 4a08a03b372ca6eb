import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapedBytes, escapedText } from '../../src/commands/escaped-text.ts'

test('what can be read stays as it is, what cannot be seen is an escape', () => {
  for (const [text, shown] of [
    ['evt-42 \u00fcber \u65e5\u672c \u{1f600}', 'evt-42 \u00fcber \u65e5\u672c \u{1f600}'],
    ['a\nb\tc\rd', 'a\\nb\\tc\\rd'],
    ['\u001b[31m\u0007\u007f\u009b', '\\x1b[31m\\x07\\x7f\\x9b'],
    ['\u202egpj.exe\u200b\ufeff', '\\u{202e}gpj.exe\\u{200b}\\u{feff}'],
    ['\ud800', '\\u{d800}'],
    ['\u2028\u2029', '\\u{2028}\\u{2029}'],
  ] as const) {
    assert.equal(escapedText(text), shown)
  }
  assert.equal(escapedBytes(Buffer.from([0xff, 0x41, 0x0a])), '\\xffA\\x0a')
})

test('no bytes at all can move a cursor', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 30 }), (bytes) => {
      assert.doesNotMatch(escapedBytes(Buffer.from(bytes)), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    }),
  )
})
