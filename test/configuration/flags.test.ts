import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FLAGS } from '../../src/configuration/flags.ts'
import { listSettings } from '../../src/configuration/list-settings.ts'

test('every flag sets a setting that exists', () => {
  const paths = listSettings().map(({ path }) => path)
  for (const { flags, path } of FLAGS) assert.ok(paths.includes(path), `${flags} sets ${path}`)
})

test('no variable sets two settings', () => {
  const variables = listSettings().flatMap((setting) => setting.variables)
  assert.equal(new Set(variables).size, variables.length)
})
