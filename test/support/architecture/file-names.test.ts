import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFileNames } from './file-names.ts'

test('names in kebab-case are fine', () => {
  assert.deepEqual(
    checkFileNames(['src/next-attempt.ts', 'test/a-crash-is-harmless.test.ts', 'src/snappy.d.ts'], ['utils']),
    [],
  )
})

test('other cases and drawers are found, as folders too', () => {
  assert.deepEqual(
    checkFileNames(['src/nextAttempt.ts', 'src/utils/day.ts', 'test/utils.test.ts'], ['utils']),
    [
      'src/nextAttempt.ts: "nextAttempt.ts" is not kebab-case',
      'src/utils/day.ts: "utils" is a drawer, not an idea',
      'test/utils.test.ts: "utils.test.ts" is a drawer, not an idea',
    ],
  )
})
