import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENTRIES } from '../src/commands/entries.ts'
import { runDaymark } from './support/daymark-process.ts'

test('help and version are answers: they go to stdout, and end with 0', async () => {
  const help = await runDaymark(['--help'])
  assert.equal(help.exitCode, 0)
  assert.match(help.stdout, /^Usage: daymark/)
  const version = await runDaymark(['version'])
  assert.deepEqual([version.exitCode, version.stderr], [0, ''])
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
})

test('the help of every command ends with an example, whose flags are its own', async () => {
  const names = ENTRIES.map(({ name }) => name)
  assert.equal(names.length, 24)
  for (const name of names) {
    const { exitCode, stdout } = await runDaymark([...name.split(' '), '--help'])
    assert.equal(exitCode, 0, name)
    const [above = '', example = ''] = stdout.split('\nExample:\n  ')
    assert.ok(example.startsWith(`daymark ${name}`), `${name}: ${stdout}`)
    for (const [flag] of example.matchAll(/--[a-z-]+/g))
      assert.ok(above.includes(`${flag} `), `${name}: ${flag}`)
  }
})

test('wrong usage ends with 2, a message on stderr, and nothing on stdout', async () => {
  for (const [args, message] of [
    [['plna'], /unknown command 'plna'\n\(Did you mean plan\?\)/],
    [['plan', '--jsn'], /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    [['status', 'now'], /too many arguments/],
    [['plan', '--schema'], /argument missing/],
    [[], /^Usage: daymark/],
  ] as const) {
    const ended = await runDaymark(args)
    assert.equal(ended.exitCode, 2, args.join(' '))
    assert.equal(ended.stdout, '')
    assert.match(ended.stderr, message)
  }
})
