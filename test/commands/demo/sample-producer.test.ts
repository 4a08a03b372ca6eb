import assert from 'node:assert/strict'
import { test } from 'node:test'
import { produceSamples } from '../../../src/commands/demo/sample-producer.ts'
import type { RecordToSend } from '../../../src/kafka/kafka-producer.ts'
import { silentLog } from '../../../src/process/log.ts'
import { eventually } from '../../support/eventually.ts'

const RECORD = { key: 'acct_7', value: '{}' }

test('what is due is sent until the signal comes, and a failure is no end', async () => {
  const stop = new AbortController()
  let sent = 0
  const send = async (records: readonly RecordToSend[]): Promise<void> => {
    sent += records.length
    if (sent === 1) throw new Error('the broker is away')
  }
  const producing = produceSamples(send, { recordsUntil: () => [RECORD] }, silentLog, stop.signal)
  await eventually('a record after the failure', () => sent > 1)
  stop.abort()
  await producing
  assert.ok(sent > 1)
})

test('a stop does not wait for a broker that does not answer', async () => {
  const stop = new AbortController()
  let asked = false
  const send = (): Promise<void> => {
    asked = true
    return new Promise(() => undefined)
  }
  const producing = produceSamples(send, { recordsUntil: () => [RECORD] }, silentLog, stop.signal)
  await eventually('the first records to be sent', () => asked)
  stop.abort()
  await producing
})
