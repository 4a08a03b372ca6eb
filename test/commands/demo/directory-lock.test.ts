import assert from 'node:assert/strict'
import { platform } from 'node:os'
import { test } from 'node:test'
import { lockDirectory } from '../../../src/commands/demo/directory-lock.ts'

test('a folder is held by one demo at a time, and free again afterwards', async () => {
  const directory = `/nowhere/${process.pid}`
  const first = await lockDirectory(directory)
  // Elsewhere the ports of the servers keep two demos apart.
  if (platform() === 'linux') {
    await assert.rejects(
      lockDirectory(directory),
      /^LocalServerError: starting the demo: another one runs already/,
    )
  }
  using _other = await lockDirectory(`${directory}/other`)
  first[Symbol.dispose]()
  using _again = await lockDirectory(directory)
})
