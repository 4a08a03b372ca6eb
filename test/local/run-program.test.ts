import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runProgram } from '../../src/local/run-program.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

test('a program that ends well is done, with what it wrote', async () => {
  const heard: string[] = []
  const ran = await runProgram(['sh', '-c', 'echo one; echo two >&2'], {
    onOutput: (piece) => heard.push(piece),
  })
  assert.deepEqual(ran, { outcome: 'done', stdout: 'one\n', stderr: 'two\n' })
  assert.equal(heard.join(''), 'one\n')
})

test('a program that ends with a complaint has failed', async () => {
  const { outcome, stderr } = await runProgram(['sh', '-c', 'echo broken >&2; exit 3'])
  assert.equal(outcome, 'failed')
  assert.equal(stderr, 'broken\n')
})

test('a program that is not installed is missing', async () => {
  assert.equal((await runProgram(['daymark-no-such-program'])).outcome, 'missing')
})

test('a file that is no program is forbidden', async () => {
  using scratch = makeScratchDirectory()
  const file = join(scratch.path, 'text')
  writeFileSync(file, 'no program')
  chmodSync(file, 0o644)
  assert.equal((await runProgram([file])).outcome, 'forbidden')
})

test('an aborted program is ended, and the call rejects with the reason', async () => {
  const reason = new Error('stopping')
  const controller = new AbortController()
  const running = runProgram(['sh', '-c', 'echo started; exec sleep 60'], {
    signal: controller.signal,
    onOutput: () => controller.abort(reason),
  })
  await assert.rejects(running, (error) => error === reason)
})
