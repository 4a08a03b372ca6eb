import type { ConsumerSettings } from '../../src/consumer/consumer-settings.ts'
import { defineHandler, type Handler } from '../../src/consumer/handler.ts'
import { prepareHandler } from '../../src/consumer/prepare-handler.ts'
import type { ReplayParts } from '../../src/consumer/replay-until-done.ts'
import type { RecordToSend } from '../../src/kafka/kafka-producer.ts'
import { eventually } from '../support/eventually.ts'
import { createLedger, startTestConsumer, testSettings } from '../support/test-consumer.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createTestTopics, type TestTopics } from '../support/test-topic.ts'

/** What the tests of replays run on. */
export type Servers = { readonly db: TestDatabase; readonly topics: TestTopics }

/** A database with the example's ledger, and a broker. */
export async function openServers(): Promise<Servers & AsyncDisposable> {
  const db = await createTestDatabase()
  const topics = await createTestTopics()
  await createLedger(db.database)
  return {
    db,
    topics,
    async [Symbol.asyncDispose]() {
      await topics[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
    },
  }
}

export const NO_WISHES = { eventId: null, mayHaveBeenApplied: false }

/** Refuses what it is told to, until it is mended. */
const refuseAll: Handler = defineHandler({
  async applyEach({ eventId }) {
    throw new Error(`no account for ${eventId}`)
  },
})

/** Records that were consumed into dead letters, in the order of the log. */
export async function deadLettersOf(
  { db, topics }: Servers,
  records: readonly RecordToSend[],
  given: Partial<ConsumerSettings> & { readonly handler?: Handler } = {},
) {
  // The broker refuses timestamps that lie an hour ahead, unless told otherwise.
  const topic = await topics.create(1, { 'message.timestamp.after.max.ms': '9223372036854775807' })
  for (const record of records) await topics.producer.send(topic, [{ ...record, partition: 0 }])
  const { handler = refuseAll, ...other } = given
  const settings = testSettings({ topics: [topic], deadLetterLimit: 1, batchRows: 1, ...other })
  const consumer = await startTestConsumer({ settings, handler, database: db.database, kafka: topics.kafka })
  const ids = await eventually('every record to be read', async () => {
    const { rows } = await db.database.query<{ next: string }>(
      'select next_offset as next from daymark.consumer_progress where topic = $1::text',
      [topic],
    )
    if (!(Number(rows[0]?.next) >= records.length)) return null
    return (await lettersOf({ db, topics }, topic)).map(({ id }) => id)
  })
  await consumer.stop()
  return { topic, settings, ids }
}

export type Letter = {
  readonly id: string
  readonly reason: string
  readonly error: string
  readonly outcome: string | null
}

export async function lettersOf({ db }: Servers, topic: string): Promise<Letter[]> {
  const { rows } = await db.database.query<Letter>(
    `select id, reason, error, replay_outcome as outcome
       from daymark.dead_letters
      where topic = $1::text
      order by "offset"`,
    [topic],
  )
  return rows
}

export async function partsFor(
  { db }: Servers,
  settings: ConsumerSettings,
  handler: Handler,
): Promise<ReplayParts> {
  return {
    settings,
    handler: await prepareHandler(db.database, handler),
    database: db.database,
    giveUp: new AbortController().signal,
    chance: () => 0.5,
  }
}

export async function ledgerIds({ db }: Servers, like: string): Promise<string[]> {
  const { rows } = await db.database.query<{ id: string }>(
    'select event_id as id from ledger_entries where event_id like $1::text order by 1',
    [like],
  )
  return rows.map(({ id }) => id)
}
