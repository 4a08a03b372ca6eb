import { writeSync } from 'node:fs'
import { connectKafka } from '../../src/kafka/kafka-client.ts'
import type { KafkaSettings } from '../../src/kafka/kafka-settings.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import type { DatabaseSettings } from '../../src/postgres/database-settings.ts'
import { silentLog } from '../../src/process/log.ts'

/** What such a consumer is told. */
export type OffsetFirstOptions = {
  readonly group: string
  readonly topic: string
  readonly kafka: KafkaSettings
  readonly database: DatabaseSettings
  /** The event before whose effect it stops itself, with its offset committed. */
  readonly haltBefore: string | null
}

/**
 * A consumer that gets the order of its two commits wrong, to show what that costs: `node offset-first-consumer.ts
 * '{"group":…}'`. It says so before it stops itself with SIGSTOP, to be killed there.
 */
const { group, topic, kafka, database, haltBefore } = JSON.parse(process.argv[2] ?? '') as OffsetFirstOptions
const db = openDatabase(database, () => undefined)
const consumer = connectKafka(kafka, silentLog).consumer({ groupId: group, sessionTimeout: 6_000 })
await consumer.connect()
await consumer.subscribe({ topics: [topic], fromBeginning: true })
await consumer.run({
  autoCommit: false,
  async eachMessage({ partition, message }) {
    const eventId = message.headers?.['event-id']?.toString() ?? ''
    await consumer.commitOffsets([{ topic, partition, offset: String(BigInt(message.offset) + 1n) }])
    if (eventId === haltBefore) {
      writeSync(1, 'halted before-effect\n')
      process.kill(process.pid, 'SIGSTOP')
    }
    await db.query('insert into ledger_entries (event_id, account) values ($1::text, $2::text)', [
      eventId,
      'acct',
    ])
  },
})
