import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCycles } from './import-cycles.ts'
import { sourceFile } from './source-file.ts'

test('a circle is found once, also where a type closes it', () => {
  const files = [
    sourceFile('src/a.ts', "import { b } from './b.ts'"),
    sourceFile('src/b.ts', "import { c } from './c.ts'"),
    sourceFile('src/c.ts', "import type { B } from './b.ts'"),
  ]
  assert.deepEqual(findCycles(files), ['src/b.ts -> src/c.ts -> src/b.ts'])
})

test('two ways to one file are no circle', () => {
  const files = [
    sourceFile('src/a.ts', "import { b } from './b.ts'\nimport { c } from './c.ts'"),
    sourceFile('src/b.ts', "import { c } from './c.ts'"),
    sourceFile('src/c.ts', ''),
  ]
  assert.deepEqual(findCycles(files), [])
})
