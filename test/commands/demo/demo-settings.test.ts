import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { readDemoSettings } from '../../../src/commands/demo/demo-settings.ts'

test('without a word in the environment the demo brings both servers, on ports off the usual ones', () => {
  const { directory, ...settings } = readDemoSettings({ PATH: '/bin', PGPASSWORD: 'x', PGHOST: '' })
  assert.equal(directory, resolve('.daymark'))
  assert.deepEqual(settings, {
    bringsPostgres: true,
    bringsKafka: true,
    postgresPort: 25_432,
    kafkaPort: 25_092,
    controllerPort: 25_093,
    perSecond: 200,
  })
})

test('a database or brokers that the environment names replace one server each', () => {
  for (const name of [
    'DATABASE_URL',
    'DATABASE_URL_FILE',
    'PGHOST',
    'PGPORT',
    'PGDATABASE',
    'PGUSER',
    'PGSERVICE',
  ]) {
    const { bringsPostgres, bringsKafka } = readDemoSettings({ [name]: 'x' })
    assert.deepEqual([name, bringsPostgres, bringsKafka], [name, false, true])
  }
  for (const name of ['KAFKA_BROKERS', 'KAFKA_BOOTSTRAP_SERVERS']) {
    const { bringsPostgres, bringsKafka } = readDemoSettings({ [name]: 'x' })
    assert.deepEqual([name, bringsPostgres, bringsKafka], [name, true, false])
  }
})

test('ports, rate and folder can be set', () => {
  const settings = readDemoSettings({
    DAYMARK_DEMO_DIRECTORY: 'state',
    DAYMARK_DEMO_POSTGRES_PORT: '1',
    DAYMARK_DEMO_KAFKA_PORT: '2',
    DAYMARK_DEMO_CONTROLLER_PORT: '3',
    DAYMARK_DEMO_RATE: '4',
  })
  assert.deepEqual(settings, {
    directory: resolve('state'),
    bringsPostgres: true,
    bringsKafka: true,
    postgresPort: 1,
    kafkaPort: 2,
    controllerPort: 3,
    perSecond: 4,
  })
})

test('all numbers that are none are told at once', () => {
  assert.throws(() => readDemoSettings({ DAYMARK_DEMO_KAFKA_PORT: '70000', DAYMARK_DEMO_RATE: 'fast' }), {
    name: 'ConfigError',
    complaints: [
      "expected DAYMARK_DEMO_KAFKA_PORT to be a port, a whole number from 1 to 65535, got '70000'",
      "expected DAYMARK_DEMO_RATE to be payments a second, a whole number from 1 to 50000, got 'fast'",
    ],
  })
})
