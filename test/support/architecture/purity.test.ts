import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPurity } from './purity.ts'
import { sourceFile } from './source-file.ts'

const LIBRARIES = ['luxon']

test('a file that only computes is pure, whatever its comments say and its types name', () => {
  const files = [
    sourceFile(
      'src/plan.ts',
      "import type { Pool } from 'pg'\nimport { DateTime } from 'luxon'\n// not Date.now()\nexport const at = new Date(0)",
    ),
  ]
  assert.deepEqual(checkPurity(files, ['src/plan.ts'], LIBRARIES), [])
})

for (const call of [
  'Date.now()',
  'new Date()',
  'DateTime.now()',
  'Math.random()',
  'process.env',
  'performance.now()',
  'crypto.randomUUID()',
  'setTimeout(go, 1)',
  'fetch(url)',
]) {
  test(`${call} makes a file impure`, () => {
    const [finding, ...others] = checkPurity(
      [sourceFile('src/plan.ts', `\nuse(${call})`)],
      ['src/plan.ts'],
      [],
    )
    assert.match(finding ?? '', /^src\/plan\.ts, line 2: /)
    assert.ok(others.every((other) => other.startsWith('src/plan.ts, line 2: ')))
  })
}

test('what a file runs makes it impure too', () => {
  const files = [
    sourceFile('src/plan.ts', "import { step } from './step.ts'"),
    sourceFile('src/step.ts', "import { readFileSync } from 'node:fs'"),
  ]
  assert.deepEqual(checkPurity(files, ['src/plan.ts'], LIBRARIES), [
    'src/plan.ts, by way of src/step.ts imports node:fs',
  ])
})

test('a list that names a file which is gone is found', () => {
  assert.deepEqual(checkPurity([], ['src/plan.ts'], []), [
    'src/plan.ts is in the list of pure files, but is no file',
  ])
})
