import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRunDirectory } from './run-directory.ts'
import { makeScratchDirectory } from './scratch-directory.ts'

test('a run clears away the folders of runs that were killed, and no others', () => {
  using scratch = makeScratchDirectory()
  const killed = join(scratch.path, `daymark-test-${spawnSync('true').pid}-abc`)
  const running = join(scratch.path, `daymark-test-${process.ppid}-abc`)
  const other = join(scratch.path, 'something-else')
  for (const directory of [killed, running, other]) mkdirSync(directory)
  const own = makeRunDirectory(scratch.path)
  assert.deepEqual(
    [killed, running, other, own].map((directory) => existsSync(directory)),
    // Without /proc nothing is known of other processes.
    [!existsSync('/proc/self'), true, true, true],
  )
})
