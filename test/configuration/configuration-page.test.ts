import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { configurationPage } from '../../src/configuration/configuration-page.ts'
import { listSettings } from '../../src/configuration/list-settings.ts'

test('docs/configuration.md says what the settings say: `npm run docs` brings it up to date', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  assert.equal(page, configurationPage())
})

test('every setting has its row', () => {
  const page = configurationPage()
  for (const { path } of listSettings()) assert.ok(page.includes(`| \`${path}\``), path)
})
