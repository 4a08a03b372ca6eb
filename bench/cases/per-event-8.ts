import type { EachBatchPayload } from 'kafkajs'
import { connectKafka } from '../../src/kafka/kafka-client.ts'
import { nextAfter } from '../../src/kafka/offset.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { silentLog } from '../../src/process/log.ts'
import { onDatabase } from '../support/bench-database.ts'
import { settingsOf } from '../support/database-settings-of.ts'
import { openMeter, type Reading } from '../support/meter.ts'
import { PARTITIONS } from '../support/payment-records.ts'
import type { ConsumerCaseInput } from './consumer-case.ts'
import { handleEvent, RUNBOOK_TABLE } from './runbook-table.ts'

const CONNECTIONS = 8

/**
 * A transaction per event still, but eight at a time. They end out of order, so an offset can be committed only when
 * all before it are done: once per fetch, which spares this case what the loop pays for its commits.
 */
export async function perEvent8({ databaseUrl, broker, topic, limit }: ConsumerCaseInput): Promise<Reading> {
  await onDatabase(databaseUrl, (db) => db.query(RUNBOOK_TABLE))
  await using database = openDatabase(settingsOf(databaseUrl, CONNECTIONS), () => undefined)
  const meter = openMeter(limit)
  const kafka = connectKafka({ brokers: [broker], clientId: 'bench' }, silentLog)
  const consumer = kafka.consumer({ groupId: 'per-event-8' })
  consumer.on(consumer.events.GROUP_JOIN, meter.begin)
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    partitionsConsumedConcurrently: PARTITIONS,
    async eachBatch(payload) {
      const { partition, messages } = payload.batch
      const waiting = messages.values()
      await Promise.all(Array.from({ length: CONNECTIONS }, () => work(payload, waiting)))
      if (meter.isOver()) return
      await consumer.commitOffsets([{ topic, partition, offset: nextAfter(payload.batch.lastOffset()) }])
    },
  })
  const reading = await meter.over
  await consumer.disconnect()
  return reading

  async function work(
    { batch: { partition }, heartbeat }: EachBatchPayload,
    waiting: Iterable<EachBatchPayload['batch']['messages'][number]>,
  ): Promise<void> {
    for (const message of waiting) {
      if (meter.isOver()) return
      await database.withSession(async (session) => {
        const beganAt = performance.now()
        await handleEvent(session, { topic, partition }, message)
        meter.add(1, performance.now() - beganAt)
      })
      await heartbeat()
    }
  }
}
