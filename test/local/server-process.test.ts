import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startServerProcess } from '../../src/local/server-process.ts'
import { eventually } from '../support/eventually.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

const SLEEPER = ['sh', '-c', 'echo started; exec sleep 60']

test('a server that never answers is ended, and the sentence shows what it said', async () => {
  using scratch = makeScratchDirectory()
  await assert.rejects(
    startServerProcess({ ...serverIn(scratch.path), ready: async () => false, readyTimeoutMs: 300 }),
    /^LocalServerError: starting Sleeper: it did not answer within 0\.3 s\. The end of .* says: started$/,
  )
})

test('an answer does not count where the server itself has ended: somebody else gave it', async () => {
  using scratch = makeScratchDirectory()
  const server = { ...serverIn(scratch.path), command: ['sh', '-c', 'echo the port is taken; exit 1'] }
  let asked = 0
  const ready = async () => {
    asked += 1
    return asked > 20
  }
  await assert.rejects(
    startServerProcess({ ...server, ready }),
    /it ended at once\. .* says: the port is taken$/,
  )
})

test('a server that does not end when asked is ended by force', async () => {
  using scratch = makeScratchDirectory()
  const deaf = ['sh', '-c', 'trap "" TERM; while :; do sleep 0.1; done']
  const server = await startServerProcess({ ...serverIn(scratch.path), command: deaf })
  await server.stop('SIGTERM', 100)
  assert.equal(server.hasExited(), true)
})

test('a server goes when the process that started it is killed', async () => {
  using scratch = makeScratchDirectory()
  const module = fileURLToPath(new URL('../../src/local/server-process.ts', import.meta.url))
  const starter = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    starterSource(module, scratch.path),
  ])
  const [said] = await once(starter.stdout, 'data')
  const pid = Number(String(said))
  assert.equal(existsSync(`/proc/${pid}`), true)
  starter.kill('SIGKILL')
  await eventually('the server to be gone', () => !existsSync(`/proc/${pid}`))
})

function starterSource(module: string, directory: string): string {
  const server = JSON.stringify(serverIn(directory))
  return `
    const { startServerProcess } = await import(${JSON.stringify(module)})
    const server = await startServerProcess({ ...${server}, ready: async () => true })
    console.log(server.pid)
    setInterval(() => undefined, 1000)`
}

function serverIn(directory: string) {
  return {
    name: 'Sleeper',
    command: SLEEPER,
    directory,
    logFile: join(directory, 'sleeper.log'),
    deathSignal: 'KILL',
    ready: async () => true,
    readyTimeoutMs: 10_000,
  } as const
}
