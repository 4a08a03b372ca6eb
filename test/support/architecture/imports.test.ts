import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsOf, libraryOf } from './imports.ts'
import { sourceFile } from './source-file.ts'

test('every form of import is found, and what it means', () => {
  const file = sourceFile(
    'src/story/a.ts',
    `import pg from 'pg'
import { one, type Two } from '../other/b.ts'
import type {
  Three,
} from './c.ts'
import './d.ts'
export { four } from './e.ts'
export type * from './f.ts'
// import { five } from './g.ts'
const six = async () => (await import('./h.ts')).six`,
  )
  assert.deepEqual(
    importsOf(file).map(({ specifier, target, isType, isReExport }) => [
      target ?? specifier,
      isType ? 'type' : 'value',
      isReExport ? 'again' : 'once',
    ]),
    [
      ['pg', 'value', 'once'],
      ['src/other/b.ts', 'value', 'once'],
      ['src/story/c.ts', 'type', 'once'],
      ['src/story/d.ts', 'value', 'once'],
      ['src/story/e.ts', 'value', 'again'],
      ['src/story/f.ts', 'type', 'again'],
      ['src/story/h.ts', 'value', 'once'],
    ],
  )
})

test('a library is known by its package, not by a file of it', () => {
  assert.equal(libraryOf('@scope/name/file.js'), '@scope/name')
  assert.equal(libraryOf('name/file.js'), 'name')
  assert.equal(libraryOf('node:fs/promises'), 'node:fs/promises')
})
