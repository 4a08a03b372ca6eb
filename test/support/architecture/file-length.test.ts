import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFileLength } from './file-length.ts'
import { sourceFile } from './source-file.ts'

test('the line end at the end of a file begins no line', () => {
  assert.deepEqual(checkFileLength([sourceFile('src/a.ts', 'a\nb\n'), sourceFile('src/b.ts', 'a\nb')], 2), [])
})

test('one line too many is found', () => {
  assert.deepEqual(checkFileLength([sourceFile('src/a.ts', 'a\nb\nc\n')], 2), ['src/a.ts has 3 lines'])
})
