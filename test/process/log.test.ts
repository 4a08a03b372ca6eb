import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { openLog, silentLog } from '../../src/process/log.ts'

test('a line is JSON: a sentence, its facts, those of its parent, and the level by name', () => {
  const destination = new PassThrough()
  const log = openLog({ level: 'info', destination }).child({ consumer_group: 'g' })
  log.warn({ topic: 'payments', partition: 3 }, 'a topic partition waits')
  const { pid: _pid, time, ...line } = JSON.parse(destination.read().toString())
  assert.match(time, /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/)
  assert.deepEqual(line, {
    level: 'warn',
    consumer_group: 'g',
    topic: 'payments',
    partition: 3,
    msg: 'a topic partition waits',
  })
})

test('an error is written with its code and its stack', () => {
  const destination = new PassThrough()
  const error = Object.assign(new Error('no'), { code: '08006' })
  openLog({ level: 'info', destination }).error({ err: error }, 'it failed')
  const { err } = JSON.parse(destination.read().toString())
  assert.deepEqual([err.message, err.code], ['no', '08006'])
  assert.match(err.stack, /^Error: no\n/)
})

test('what lies below the level is not written, and can be asked about beforehand', () => {
  const destination = new PassThrough()
  const log = openLog({ level: 'info', destination })
  log.debug({}, 'an event')
  assert.equal(destination.read(), null)
  assert.equal(log.isDebug(), false)
  assert.equal(openLog({ level: 'debug', destination }).isDebug(), true)
  assert.equal(silentLog.child({}).isDebug(), false)
})
