import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../src/local/free-port.ts'
import { KAFKA_VERSION } from '../../src/local/kafka-jars.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { type DemoProcess, startDemo } from '../support/demo-process.ts'
import { eventually } from '../support/eventually.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'
import { JAR_DIRECTORY } from '../support/servers.ts'

const FIELDS = ['processed', 'duplicates', 'dead', 'perSecond', 'lag', 'runwayDays', 'marginSeconds']

test('it works on servers of its own, stops in order, and goes on after a kill where it was', async () => {
  using scratch = makeScratchDirectory()
  const environment = await ownServers(scratch.path)

  await using first = startDemo(environment)
  const figures = await eventually('a line with figures', () => first.figures(), 60_000)
  assert.deepEqual(Object.keys(figures), FIELDS)
  assert.deepEqual([figures.runwayDays, typeof figures.marginSeconds], [7, 'number'])
  await eventually('a hundred entries', () => hasEntries(first, 100))
  const health = /http:\S+\/readyz/.exec(first.messages())?.[0] ?? ''
  assert.equal((await fetch(health)).status, 200)
  // npm sends a Ctrl-C that the terminal has sent already; the second is no wish to end at once.
  first.signal('SIGINT')
  first.signal('SIGINT')
  assert.equal((await first.ended).exitCode, 0)
  assert.deepEqual(serversIn(scratch.path), [])

  await using second = startDemo(environment)
  await eventually('a line with figures', () => second.figures(), 60_000)
  const before = await entries(second)
  assert.ok(before >= 100)
  second.signal('SIGKILL')
  await second.ended
  await eventually('its servers to be gone', () => serversIn(scratch.path).length === 0)

  await using third = startDemo(environment)
  await eventually('more entries', () => hasEntries(third, before + 1), 60_000)
  third.closeOutput()
  assert.equal((await third.ended).exitCode, 0)
  assert.deepEqual(serversIn(scratch.path), [])
})

test('a second demo on the same state says so and ends, and the first goes on', async () => {
  using scratch = makeScratchDirectory()
  const environment = await ownServers(scratch.path)
  await using first = startDemo(environment)
  await eventually('the first to start its servers', () => first.messages().includes('starting Kafka'))
  await assertRefused(
    startDemo(environment),
    /^daymark: starting the demo: another one runs already, with its state in/,
  )
  first.signal('SIGINT')
  assert.equal((await first.ended).exitCode, 0)
})

test('a stop while it starts leaves no process', async () => {
  using scratch = makeScratchDirectory()
  await using demo = startDemo(await ownServers(scratch.path))
  await eventually('a server of its own', () => serversIn(scratch.path).length > 0)
  demo.signal('SIGTERM')
  assert.equal((await demo.ended).exitCode, 0)
  assert.deepEqual(serversIn(scratch.path), [])
})

test('a taken port is one sentence and exit code 2', async () => {
  using scratch = makeScratchDirectory()
  const environment = await ownServers(scratch.path)
  const holder = createServer().listen(Number(environment.DAYMARK_DEMO_KAFKA_PORT), '127.0.0.1')
  try {
    await assertRefused(
      startDemo(environment),
      /^daymark: starting Kafka on 127\.0\.0\.1:\d+: the port is taken\. End what listens there, set DAYMARK_DEMO_KAFKA_PORT/,
    )
    assert.deepEqual(serversIn(scratch.path), [])
  } finally {
    holder.close()
  }
})

test('a missing Java is one sentence and exit code 2', async () => {
  using scratch = makeScratchDirectory()
  await using demo = startDemo({ ...(await ownServers(scratch.path)), PATH: join(scratch.path, 'empty') })
  await assertRefused(demo, /^daymark: starting Kafka: no Java was found\. Install a Java 17 runtime/)
})

test('a database that refuses is one sentence and exit code 2, before anything is started', async () => {
  using scratch = makeScratchDirectory()
  const environment = await ownServers(scratch.path)
  await assertRefused(
    startDemo({ ...environment, DATABASE_URL: 'postgres://daymark@127.0.0.1:1/nothing' }),
    /^daymark: connecting to PostgreSQL at 127\.0\.0\.1:1\/nothing: nothing listens there\./,
  )
  const wrong = new URL(process.env.DAYMARK_TEST_POSTGRES ?? '')
  wrong.password = 'wrong'
  await assertRefused(
    startDemo({ ...environment, DATABASE_URL: wrong.href }),
    /^daymark: connecting to PostgreSQL at \S+: the password was refused\./,
  )
})

test('a broker that refuses is one sentence and exit code 2', async () => {
  using scratch = makeScratchDirectory()
  const environment = await ownServers(scratch.path)
  await assertRefused(
    startDemo({ ...environment, KAFKA_BROKERS: '127.0.0.1:1' }),
    /^daymark: connecting to Kafka at 127\.0\.0\.1:1: none answers\./,
  )
})

/** Ends with 2 and a last line that says it; no stack, nothing on stdout. */
async function assertRefused(demo: DemoProcess, sentence: RegExp): Promise<void> {
  const { exitCode } = await demo.ended
  const messages = demo.messages().trimEnd().split('\n')
  assert.match(messages.at(-1) ?? '', sentence)
  assert.equal(
    messages.some((line) => /^\s+at /.test(line)),
    false,
  )
  assert.deepEqual([exitCode, demo.lines()], [2, []])
}

/** An environment for servers of its own: on free ports, with their state in this folder and the jars that are there. */
async function ownServers(directory: string): Promise<Record<string, string>> {
  const state = join(directory, 'state')
  mkdirSync(state)
  symlinkSync(join(JAR_DIRECTORY, `kafka-${KAFKA_VERSION}`), join(state, `kafka-${KAFKA_VERSION}`))
  return {
    DAYMARK_DEMO_DIRECTORY: state,
    DAYMARK_DEMO_POSTGRES_PORT: String(await freePort()),
    DAYMARK_DEMO_KAFKA_PORT: String(await freePort()),
    DAYMARK_DEMO_CONTROLLER_PORT: String(await freePort()),
    DAYMARK_HTTP_PORT: '0',
  }
}

async function hasEntries(demo: DemoProcess, count: number): Promise<boolean> {
  return (await entries(demo)) >= count
}

/** Counted as the demo's own message tells people to. */
async function entries(demo: DemoProcess): Promise<number> {
  const url = /psql (postgres:\S+) -c/.exec(demo.messages())?.[1]
  if (url === undefined) throw new Error(`it has not said where its database is: ${demo.messages()}`)
  await using session = await openDirectSession({
    url,
    schema: 'daymark',
    poolSize: 1,
    applicationName: 'daymark:test',
  })
  const { rows } = await session.query<{ entries: number }>(
    'select count(*)::integer as entries from ledger_entries',
  )
  return rows[0]?.entries ?? 0
}

/** The command lines that name something in this folder. */
function serversIn(directory: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(commandLineOf)
    .filter((commandLine) => commandLine.includes(directory))
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    // It has ended while we looked.
    return ''
  }
}
