import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStateDirectory } from '../../../src/commands/demo/state-directory.ts'
import { makeScratchDirectory } from '../../support/scratch-directory.ts'

test('the folder is made with all above it, or found as it was', () => {
  using scratch = makeScratchDirectory()
  const directory = join(scratch.path, 'a', 'b')
  openStateDirectory(directory)
  openStateDirectory(directory)
  assert.equal(existsSync(directory), true)
})

test('a folder that cannot be had is a sentence that says what to do', () => {
  using scratch = makeScratchDirectory()
  const file = join(scratch.path, 'file')
  writeFileSync(file, '')
  assert.throws(() => openStateDirectory(join(file, 'state')), {
    name: 'LocalServerError',
    message:
      `starting the demo with its state in ${file}/state: that folder cannot be written to (ENOTDIR). ` +
      'It may belong to another user: run the demo as that user, or set DAYMARK_DEMO_DIRECTORY to another folder.',
  })
})
