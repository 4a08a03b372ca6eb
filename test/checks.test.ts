import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

for (const [promise, command] of [
  ['every file has the format and keeps the rules of the linter', ['biome', 'check', '.']],
  ['every file has right types', ['tsc', '--noEmit']],
] as const) {
  test(promise, () => {
    const [program, ...args] = command
    const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${program}`, args, {
      cwd: ROOT,
      encoding: 'utf8',
    })
    assert.equal(status, 0, `${stdout}${stderr}`)
  })
}
