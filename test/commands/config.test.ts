import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runDaymark } from '../support/daymark-process.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

test('config print shows each value and where it came from, and no secret', async () => {
  using scratch = makeScratchDirectory()
  writeFileSync(join(scratch.path, 'daymark.config.json'), JSON.stringify({ consumer: { batchRows: 7 } }))
  const variables = {
    DATABASE_URL: 'postgres://app:hunter2@db/x',
    KAFKA_SASL_USERNAME: 'u',
    KAFKA_SASL_PASSWORD: 'hunter2',
  }
  const ended = await runDaymark(['config', 'print', '--json', '--topics', 'a,b'], variables, scratch.path)
  assert.deepEqual([ended.exitCode, ended.stderr], [0, ''])
  assert.doesNotMatch(ended.stdout, /hunter2/)
  const { schemaVersion, settings } = JSON.parse(ended.stdout)
  assert.equal(schemaVersion, 1)
  const settingOf = (path: string): unknown => settings.find((each: { path: string }) => each.path === path)
  assert.deepEqual(settingOf('consumer.batchRows'), {
    path: 'consumer.batchRows',
    value: 7,
    from: 'daymark.config.json',
  })
  assert.deepEqual(settingOf('consumer.topics'), {
    path: 'consumer.topics',
    value: ['a', 'b'],
    from: '--topics',
  })
  assert.deepEqual(settingOf('consumer.overlap'), {
    path: 'consumer.overlap',
    value: '15 minutes',
    from: 'default',
  })
  assert.deepEqual(settingOf('database.url'), {
    path: 'database.url',
    value: 'postgres://app:****@db/x',
    from: 'DATABASE_URL',
  })
})

test('config print for people is a line for each setting', async () => {
  const ended = await runDaymark(['config', 'print'])
  assert.equal(ended.exitCode, 0)
  assert.match(ended.stdout, /^consumer\.overlap +15 minutes +default$/m)
})

test('config schema knows the shape of the file, and has no place for secrets', async () => {
  const ended = await runDaymark(['config', 'schema'])
  assert.equal(ended.exitCode, 0)
  const schema = JSON.parse(ended.stdout)
  assert.equal(schema.properties.consumer.properties.overlap.default, '15 minutes')
  assert.equal(schema.additionalProperties, false)
  assert.equal(schema.properties.kafka.properties.sasl.properties.password, undefined)
  assert.equal(schema.properties.database.properties.url, undefined)
})

test('a file that is no JSON, and one that is not there, end with 2 and a sentence', async () => {
  using scratch = makeScratchDirectory()
  writeFileSync(join(scratch.path, 'daymark.config.json'), '{ "consumer": ')
  const broken = await runDaymark(['config', 'print'], {}, scratch.path)
  assert.equal(broken.exitCode, 2)
  assert.match(broken.stderr, /^daymark: expected daymark\.config\.json to be JSON: .+\n$/)
  const absent = await runDaymark(['config', 'print', '--config', 'other.json'], {}, scratch.path)
  assert.equal(absent.exitCode, 2)
  assert.equal(absent.stderr, 'daymark: expected other.json to be a file that can be read, got ENOENT\n')
})

test('all complaints come at once', async () => {
  const ended = await runDaymark(['config', 'print', '--log-level', 'loud'], {
    DAYMARK_CONSUMER_OVERLAP: '15',
  })
  assert.equal(ended.exitCode, 2)
  assert.match(ended.stderr, /the configuration has 2 problems:/)
  assert.match(ended.stderr, /expected --log-level to be .+, got 'loud' \(from the command line\)/)
  assert.match(ended.stderr, /expected DAYMARK_CONSUMER_OVERLAP to be .+, got '15' \(from the environment\)/)
})
