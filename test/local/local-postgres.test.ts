import assert from 'node:assert/strict'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../src/local/free-port.ts'
import { type LocalPostgres, startLocalPostgres } from '../../src/local/local-postgres.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

test('the next start continues with the data of the last', async () => {
  using scratch = makeScratchDirectory()
  const directory = join(scratch.path, 'postgres')
  await withPostgres({ directory, port: await freePort() }, async (server) => {
    await ask(server, 'create table kept as select 42 as answer')
  })
  await withPostgres({ directory, port: await freePort() }, async (server) => {
    assert.deepEqual(await ask(server, 'select answer from kept'), [{ answer: 42 }])
  })
})

test('it starts in a folder that nobody else can enter', async () => {
  using scratch = makeScratchDirectory()
  const closed = join(scratch.path, 'closed')
  mkdirSync(closed)
  chmodSync(closed, 0o700)
  await withPostgres({ directory: join(closed, 'postgres'), port: await freePort() }, async (server) => {
    assert.deepEqual(await ask(server, 'select 1 as one'), [{ one: 1 }])
  })
})

test('a second start takes over from a server that was left', async () => {
  using scratch = makeScratchDirectory()
  const options = { directory: join(scratch.path, 'postgres'), port: await freePort() }
  const left = await startLocalPostgres(options)
  await withPostgres(options, async (server) => {
    assert.equal(left.process.hasExited(), true)
    assert.deepEqual(await ask(server, 'select 1 as one'), [{ one: 1 }])
  })
})

test('a start that is given up leaves no process', async () => {
  using scratch = makeScratchDirectory()
  const options = { directory: join(scratch.path, 'postgres'), port: await freePort() }
  const reason = new Error('stopping')
  await assert.rejects(
    startLocalPostgres({ ...options, signal: AbortSignal.abort(reason) }),
    (error) => error === reason,
  )
  await withPostgres(options, async (server) => {
    assert.deepEqual(await ask(server, 'select 1 as one'), [{ one: 1 }])
  })
})

test('a setting that it refuses is a sentence with the end of its log', async () => {
  using scratch = makeScratchDirectory()
  const directory = join(scratch.path, 'postgres')
  await assert.rejects(
    startLocalPostgres({ directory, port: await freePort(), parameters: ['no_such_setting=1'] }),
    /^LocalServerError: starting PostgreSQL: it ended at once\. The end of .*postgres\.log says: .*no_such_setting/,
  )
})

test('two servers do not meet on one port: the second start says that it is taken', async () => {
  using scratch = makeScratchDirectory()
  const port = await freePort()
  await withPostgres({ directory: join(scratch.path, 'one'), port }, async () => {
    await assert.rejects(
      startLocalPostgres({ directory: join(scratch.path, 'two'), port }),
      new RegExp(
        `starting PostgreSQL on 127\\.0\\.0\\.1:${port}: the port is taken\\. End what listens there, or set DATA`,
      ),
    )
  })
})

async function withPostgres(
  options: { directory: string; port: number },
  use: (server: LocalPostgres) => Promise<void>,
): Promise<void> {
  const server = await startLocalPostgres(options)
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

async function ask(server: LocalPostgres, statement: string): Promise<object[]> {
  await using session = await openDirectSession({
    url: server.urlOf('postgres'),
    schema: 'daymark',
    poolSize: 1,
    applicationName: 'daymark:test',
  })
  return (await session.query<object>(statement)).rows
}
