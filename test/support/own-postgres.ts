import type { ConsumerSettings } from '../../src/consumer/consumer-settings.ts'
import { type LocalPostgres, startLocalPostgres } from '../../src/local/local-postgres.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { type DirectSession, openDirectSession } from '../../src/postgres/direct-session.ts'
import { migrateSchema } from '../../src/postgres/migrate.ts'
import { eventually } from './eventually.ts'
import { createOpenLedger } from './ledger.ts'
import { payment } from './payments.ts'
import { ledgerEffect, startTestConsumer, testSettings } from './test-consumer.ts'
import { createTestTopics } from './test-topic.ts'
import { testedPostgres } from './tested-postgres.ts'

/** A server of the test's own, stopped at the end. */
export async function startServer(directory: string, port: number, parameters: readonly string[] = []) {
  const tested = testedPostgres()
  const server = await startLocalPostgres({
    ...tested,
    directory,
    port,
    parameters: ['fsync=off', ...tested.parameters, ...parameters],
  })
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.stop() })
}

function settingsOf(url: string) {
  return { url, schema: 'daymark', poolSize: 4, applicationName: 'daymark:test' }
}

/** A connection that belongs to the caller. */
export function openSession(server: LocalPostgres): Promise<DirectSession> {
  return openDirectSession(settingsOf(server.urlOf('postgres')))
}

/** A group with two partitions that reaches its database by `url`; both are idle whenever nothing is sent. */
export async function startGroup(url: string, given: Partial<ConsumerSettings> = {}) {
  await using stack = new AsyncDisposableStack()
  await migrateSchema(settingsOf(url))
  const database = stack.use(openDatabase(settingsOf(url), () => undefined))
  await createOpenLedger(database)
  const topics = stack.use(await createTestTopics())
  const topic = await topics.create(2)
  const settings = testSettings({ topics: [topic], ...given })
  const consumer = stack.use(
    await startTestConsumer({ settings, handler: ledgerEffect, database, kafka: topics.kafka }),
  )
  const send = (ids: readonly string[]): Promise<unknown> =>
    topics.producer.send(
      topic,
      ids.map((id, number) => payment(id, { partition: number % 2 })),
    )
  const committed = (count: number): Promise<unknown> =>
    eventually(`${count} records to be committed`, async () => {
      const offsets = await topics.admin.fetchCommittedOffsets(settings.group, topic)
      return offsets.reduce((sum, { offset }) => sum + Number(offset ?? 0), 0) === count
    })
  const held = stack.move()
  return { database, consumer, send, committed, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

export type OwnGroup = Awaited<ReturnType<typeof startGroup>>
