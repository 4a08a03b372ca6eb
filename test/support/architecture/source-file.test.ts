import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceFile } from './source-file.ts'

const TEXT = [
  "const a = 'a // b' // a comment with 'quotes'",
  '/* any',
  `   enum */ const b = \`in \${chosen(a)} text\``,
  'const c = /["`]any/.test(b)',
].join('\n')

test('the code is what neither comments, strings nor regular expressions say, each on its line', () => {
  const lines = sourceFile('a.ts', TEXT).code.split('\n')
  assert.deepEqual(
    lines.map((line) => line.replaceAll(/\s+/g, ' ').trim()),
    ['const a =', '', `const b = \${chosen(a)}`, 'const c = .test(b)'],
  )
})

test('the statements keep their strings', () => {
  assert.equal(sourceFile('a.ts', TEXT).statements.split('\n')[0]?.trim(), "const a = 'a // b'")
})

test('strings know their line', () => {
  assert.deepEqual(sourceFile('a.ts', TEXT).strings, [
    { content: 'a // b', line: 1 },
    { content: `in \${chosen(a)} text`, line: 3 },
  ])
})
