import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDirections } from './import-directions.ts'
import { sourceFile } from './source-file.ts'

const DIRECTIONS = { 'cli.ts': ['story', 'ground'], story: ['ground'], ground: [] }

test('an import down, or inside its part, is fine', () => {
  assert.deepEqual(
    checkDirections(
      [
        sourceFile('src/cli.ts', "import { a } from './story/a.ts'"),
        sourceFile('src/story/a.ts', "import { b } from '../ground/b.ts'\nimport { c } from './sql/c.ts'"),
      ],
      DIRECTIONS,
    ),
    [],
  )
})

test('an import up is found, of a type too, and so is one out of the program', () => {
  assert.deepEqual(
    checkDirections(
      [
        sourceFile('src/ground/b.ts', "import type { A } from '../story/a.ts'"),
        sourceFile('src/story/a.ts', "import { help } from '../../test/support/help.ts'"),
      ],
      DIRECTIONS,
    ),
    [
      'src/ground/b.ts imports src/story/a.ts: ground may not know story',
      'src/story/a.ts imports test/support/help.ts, which is not part of the program',
    ],
  )
})

test('a part without directions is found', () => {
  assert.deepEqual(checkDirections([sourceFile('src/drawer/a.ts', '')], DIRECTIONS), [
    'src/drawer/a.ts: drawer is not in the table of directions',
  ])
})
