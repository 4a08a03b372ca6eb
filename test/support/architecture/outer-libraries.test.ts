import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOuterLibraries } from './outer-libraries.ts'
import { sourceFile } from './source-file.ts'

const IMPORTERS = { pg: 'src/postgres/', luxon: 'src/calendar/period.ts' }

test('a library in its place is fine, and Node is everywhere', () => {
  const files = [
    sourceFile('src/postgres/a.ts', "import pg from 'pg'\nimport { readFileSync } from 'node:fs'"),
    sourceFile('src/calendar/period.ts', "import { DateTime } from 'luxon'"),
  ]
  assert.deepEqual(checkOuterLibraries(files, IMPORTERS), [])
})

test('a library elsewhere is found, by types and files of it too, and so is one that nobody listed', () => {
  const files = [
    sourceFile('src/consumer/a.ts', "import type { Client } from 'pg/lib/client.js'"),
    sourceFile('src/calendar/month.ts', "import { DateTime } from 'luxon'\nimport left from 'left-pad'"),
  ]
  assert.deepEqual(checkOuterLibraries(files, IMPORTERS), [
    'src/consumer/a.ts imports pg: only src/postgres/ may',
    'src/calendar/month.ts imports luxon: only src/calendar/period.ts may',
    'src/calendar/month.ts imports left-pad, which has no importer in the list',
  ])
})
