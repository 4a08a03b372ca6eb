import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { endLeftover } from '../../src/local/leftover.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

test('a server that was left over is ended before the call returns', async () => {
  using scratch = makeScratchDirectory()
  const left = spawn('tail', ['-f', '/dev/null', scratch.path])
  const ended = once(left, 'exit')
  const pidFile = join(scratch.path, 'server.pid')
  writeFileSync(pidFile, `${left.pid}\nmore\n`)
  await endLeftover({ pidFile, mark: scratch.path, signal: 'SIGINT', timeoutMs: 5_000 })
  assert.deepEqual(await ended, [null, 'SIGINT'])
})

test('a server that does not end when asked is ended by force', async () => {
  using scratch = makeScratchDirectory()
  const left = spawn('sh', ['-c', 'trap "" INT; echo deaf; while :; do read -r line; done', scratch.path])
  await once(left.stdout, 'data')
  const ended = once(left, 'exit')
  const pidFile = join(scratch.path, 'server.pid')
  writeFileSync(pidFile, String(left.pid))
  await endLeftover({ pidFile, mark: scratch.path, signal: 'SIGINT', timeoutMs: 200 })
  assert.deepEqual(await ended, [null, 'SIGKILL'])
})

test('a process that has only got the same number is left alone', async () => {
  using scratch = makeScratchDirectory()
  const other = spawn('tail', ['-f', '/dev/null'])
  const pidFile = join(scratch.path, 'server.pid')
  writeFileSync(pidFile, String(other.pid))
  await endLeftover({ pidFile, mark: scratch.path, signal: 'SIGKILL', timeoutMs: 5_000 })
  assert.equal(other.signalCode, null)
  other.kill('SIGTERM')
  assert.deepEqual(await once(other, 'exit'), [null, 'SIGTERM'])
})

test('without a file of a process id there is nothing to end', async () => {
  using scratch = makeScratchDirectory()
  await endLeftover({
    pidFile: join(scratch.path, 'none'),
    mark: scratch.path,
    signal: 'SIGKILL',
    timeoutMs: 5_000,
  })
})
