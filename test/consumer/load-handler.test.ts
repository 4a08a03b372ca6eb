import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadHandler } from '../../src/consumer/load-handler.ts'
import { ConsumerStartError } from '../../src/consumer/start-error.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

async function load(name: string, text: string): Promise<Awaited<ReturnType<typeof loadHandler>>> {
  using scratch = makeScratchDirectory()
  const file = join(scratch.path, name)
  writeFileSync(file, text)
  return await loadHandler(file)
}

test('the handlers of the example load, by an absolute path or a relative one', async () => {
  const directory = fileURLToPath(new URL('../../examples/payments/', import.meta.url))
  assert.equal((await loadHandler(join(directory, 'handler.ts'))).kind, 'batch')
  assert.equal((await loadHandler(relative(process.cwd(), join(directory, 'handler.ts')))).kind, 'batch')
  const statement = await loadHandler(join(directory, 'effect.sql'))
  assert.ok(statement.kind === 'sql')
  assert.match(statement.text, /insert into ledger_entries/)
})

test('a module may export a plain object, under the name handler or as its default', async () => {
  const each = 'export const handler = { async applyEach() {} }'
  assert.equal((await load('each.mjs', each)).kind, 'each')
  const batch = 'module.exports = { async apply() {} }'
  assert.equal((await load('batch.cjs', batch)).kind, 'batch')
})

test('what cannot be loaded is a sentence that names the file', async () => {
  const broken: [string, string, RegExp][] = [
    ['syntax.mjs', 'export const = 1', /^loading the handler .*syntax\.mjs: /],
    ['throws.mjs', 'throw new Error("no such table")', /^loading the handler .*throws\.mjs: no such table/],
    ['imports.mjs', 'import "./nowhere.mjs"', /^loading the handler .*imports\.mjs: .*nowhere/],
    [
      'empty.mjs',
      '',
      /empty\.mjs: expected a handler .* got undefined\. Write `export const handler = defineHandler/,
    ],
    ['other.mjs', 'export const handler = { aply() {} }', /other\.mjs: .* got an object with aply/],
    ['kind.mjs', 'export const handler = { kind: "batch" }', /kind\.mjs: .* got an object with kind/],
  ]
  for (const [name, text, message] of broken) {
    await assert.rejects(load(name, text), (error: unknown) => {
      assert.ok(error instanceof ConsumerStartError)
      assert.match(error.message, message)
      return true
    })
  }
  await assert.rejects(loadHandler('/nowhere/effect.sql'), {
    name: 'ConsumerStartError',
    message: /reading the effect statement \/nowhere\/effect\.sql: ENOENT/,
  })
  await assert.rejects(loadHandler('/nowhere/handler.ts'), { name: 'ConsumerStartError' })
})
