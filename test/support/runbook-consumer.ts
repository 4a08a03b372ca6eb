import { connectKafka } from '../../src/kafka/kafka-client.ts'
import type { KafkaSettings } from '../../src/kafka/kafka-settings.ts'
import type { DatabaseSettings } from '../../src/postgres/database-settings.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { sqlstateOf } from '../../src/postgres/sqlstate.ts'
import { silentLog } from '../../src/process/log.ts'

/** What such a consumer is told. */
export type RunbookConsumerOptions = {
  readonly group: string
  readonly topic: string
  readonly kafka: KafkaSettings
  readonly database: DatabaseSettings
}

/**
 * The runbook's consumer as a process of its own, on the runbook's table: `node runbook-consumer.ts '{"group":…}'`. The
 * marker and the effect in one transaction, an event at a time, and then the offset.
 */
const { group, topic, kafka, database } = JSON.parse(process.argv[2] ?? '') as RunbookConsumerOptions
const session = await openDirectSession(database)
const consumer = connectKafka(kafka, silentLog).consumer({ groupId: group, sessionTimeout: 6_000 })
await consumer.connect()
await consumer.subscribe({ topics: [topic], fromBeginning: true })
await consumer.run({
  autoCommit: false,
  async eachMessage({ partition, message }) {
    const eventId = message.headers?.['event-id']?.toString() ?? ''
    await session.query('begin')
    try {
      await session.query(
        `insert into runbook.processed_events (consumer_group, event_id, topic, partition, "offset")
         values ($1::text, $2::text, $3::text, $4::integer, $5::bigint)`,
        [group, eventId, topic, partition, message.offset],
      )
      await session.query('insert into ledger_entries (event_id, account) values ($1::text, $2::text)', [
        eventId,
        'acct_7',
      ])
      await session.query('commit')
    } catch (error) {
      await session.query('rollback')
      if (sqlstateOf(error) !== '23505') throw error
    }
    await consumer.commitOffsets([{ topic, partition, offset: String(BigInt(message.offset) + 1n) }])
  },
})
