import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runProgram } from '../../src/local/run-program.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { assertEachOnce, EFFECT_STATEMENT, eventuallyApplied } from '../support/ledger.ts'
import { BINARIES, createPackedProject, fetchNode, type PackedProject } from '../support/packed-project.ts'
import { eventIds, payment } from '../support/payments.ts'
import { newGroup } from '../support/test-consumer.ts'

/** The oldest that it says to support, the one that it is made with, and the newest. */
const VERSIONS = ['22.18.0', '24.21.0', '26.10.0']

/** What a user writes, from the README. */
const HANDLERS = {
  'handler.ts': `import { defineHandler } from 'daymark'

export const handler = defineHandler({
  async applyEach(event, tx) {
    const { account, amountCents } = event.value as { account: string; amountCents: number }
    await tx.query('insert into ledger_entries values ($1, $2, $3, $4)', [
      event.eventId, account, amountCents, event.recordTimestamp,
    ])
  },
})
`,
  'effect.sql': readFileSync(EFFECT_STATEMENT, 'utf8'),
}

let project: PackedProject
before(async () => {
  project = await createPackedProject()
  for (const [name, text] of Object.entries(HANDLERS)) project.write(name, text)
})
after(() => project[Symbol.dispose]())

test('what is packed is what package managers, Node and TypeScript expect of a package', async () => {
  for (const command of [
    ['publint', 'run', '--strict', project.tarball],
    ['attw', '--profile', 'esm-only', project.tarball],
  ]) {
    const { outcome, stdout, stderr } = await runProgram([
      join(BINARIES, command[0] ?? ''),
      ...command.slice(1),
    ])
    assert.equal(outcome, 'done', `${stdout}${stderr}`)
  }
})

test('a handler in TypeScript has the types it needs, with the checks of libraries on', async () => {
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true }
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['handler.ts'] }))
  const { outcome, stdout } = await runProgram([join(BINARIES, 'tsc'), '-p', project.directory])
  assert.equal(outcome, 'done', stdout)
})

for (const version of VERSIONS) {
  describe(`installed into an empty project, on Node ${version}, it applies events once by`, () => {
    for (const handler of Object.keys(HANDLERS)) {
      test(handler, async () => {
        const node = await fetchNode(version)
        await using bench = await createConsumerBench()
        const topic = await bench.topics.create(2, { 'retention.ms': '604800000' })
        const ids = eventIds('evt', 200)
        const records = ids.map((id, number) => payment(id, { partition: number % 2 }))
        await bench.send([...records, ...records], topic)
        const env = {
          PATH: process.env.PATH,
          DATABASE_URL: bench.db.settings.url,
          KAFKA_BROKERS: bench.topics.kafka.brokers.join(','),
          KAFKA_GROUP_ID: newGroup(),
          KAFKA_TOPICS: topic,
          DAYMARK_CONSUMER_HANDLER: handler,
          DAYMARK_HTTP_PORT: '0',
        }
        await bench.db.database.query('drop schema daymark cascade; drop schema daymark_pgboss cascade')
        const migrated = await run(node, ['migrate'], env)
        assert.equal(migrated.exitCode, 0, migrated.output)
        const daymark = start(node, ['run'], env)
        try {
          await eventuallyApplied(bench.db.database, ids.length)
          await assertEachOnce(bench.db.database, ids)
        } finally {
          daymark.child.kill('SIGTERM')
        }
        const { exitCode, output } = await daymark.ended
        assert.equal(exitCode, 0, output)
        const status = await run(node, ['status'], env)
        assert.equal(status.exitCode, 0, status.output)
      })
    }
  })
}

function start(node: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(node, [project.cli, ...args], { cwd: project.directory, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = once(child, 'close').then(() => ({ exitCode: child.exitCode, output }))
  return { child, ended }
}

function run(node: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  return start(node, args, env).ended
}
