import { connectKafka } from '../../src/kafka/kafka-client.ts'
import { nextAfter } from '../../src/kafka/offset.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { silentLog } from '../../src/process/log.ts'
import { settingsOf } from '../support/database-settings-of.ts'
import { openMeter, type Reading } from '../support/meter.ts'
import type { ConsumerCaseInput } from './consumer-case.ts'
import { handleEvent, RUNBOOK_TABLE } from './runbook-table.ts'

/** The runbook's third step: a transaction, then an offset commit, for each event, on one connection. */
export async function runbookLoop({
  databaseUrl,
  broker,
  topic,
  limit,
}: ConsumerCaseInput): Promise<Reading> {
  await using session = await openDirectSession(settingsOf(databaseUrl, 1))
  await session.query(RUNBOOK_TABLE)
  const meter = openMeter(limit)
  const kafka = connectKafka({ brokers: [broker], clientId: 'bench' }, silentLog)
  const consumer = kafka.consumer({ groupId: 'runbook-loop' })
  consumer.on(consumer.events.GROUP_JOIN, meter.begin)
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    async eachMessage({ partition, message }) {
      if (meter.isOver()) return
      const beganAt = performance.now()
      await handleEvent(session, { topic, partition }, message)
      const tookMs = performance.now() - beganAt
      await consumer.commitOffsets([{ topic, partition, offset: nextAfter(message.offset) }])
      meter.add(1, tookMs)
    },
  })
  const reading = await meter.over
  await consumer.disconnect()
  return reading
}
