import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/local/free-port.ts'
import { runProgram } from '../../src/local/run-program.ts'
import { openSession, startServer } from '../support/own-postgres.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const GERMAN = {
  DAYMARK_TEST_POSTGRES_BINARIES: fileURLToPath(new URL('../support/debian-postgres.ts', import.meta.url)),
  DAYMARK_TEST_POSTGRES_LANGUAGE: 'de',
}

/** Where it is decided what a failure of the database means. */
const FILES = [
  'test/postgres/*.test.ts',
  'test/consumer/connection-faults.test.ts',
  'test/consumer/database-faults.test.ts',
  'test/consumer/missing-partition.test.ts',
  'test/consumer/restarts.test.ts',
  'test/guarantees/a-bad-event-holds-back-only-itself.test.ts',
  'test/guarantees/a-database-that-lost-commits-catches-up.test.ts',
  'test/guarantees/an-interrupted-detach-is-finished.test.ts',
  'test/guarantees/two-workers-do-the-work-of-one.test.ts',
  'test/guarantees/writers-are-not-stalled.test.ts',
  'test/maintenance/obstacles.test.ts',
  'test/maintenance/lost-server.test.ts',
]

test('a server that speaks another language changes nothing: what a failure means is told by its code', async () => {
  await assertSpeaksGerman()
  const { outcome, stdout, stderr } = await runProgram(
    [
      'env',
      // By it the runner takes itself for a part of this run.
      '--unset=NODE_TEST_CONTEXT',
      ...Object.entries(GERMAN).map(([name, value]) => `${name}=${value}`),
      process.execPath,
      '--disable-warning=TimeoutNegativeWarning',
      '--test',
      '--test-reporter=tap',
      '--test-global-setup=test/support/servers.ts',
      '--test-concurrency=2',
      ...FILES,
    ],
    { cwd: ROOT },
  )
  assert.equal(outcome, 'done', `${failuresIn(stdout)}${stderr}`)
  assert.match(stdout, /^# pass [1-9]\d+$/m)
})

async function assertSpeaksGerman(): Promise<void> {
  using scratch = makeScratchDirectory()
  Object.assign(process.env, GERMAN)
  try {
    await using server = await startServer(scratch.path, await freePort())
    await using session = await openSession(server)
    await assert.rejects(session.query('select 1 / 0'), { code: '22012', message: 'Division durch Null' })
  } finally {
    for (const name of Object.keys(GERMAN)) delete process.env[name]
  }
}

function failuresIn(output: string): string {
  const lines = output.split('\n')
  return lines.flatMap((line, at) => (/^\s*not ok/.test(line) ? lines.slice(at, at + 20) : [])).join('\n')
}
