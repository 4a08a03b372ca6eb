import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Consumer, startConsumer } from '../../src/consumer/consumer.ts'
import { type ConsumerObserver, silentObserver } from '../../src/consumer/consumer-observer.ts'
import { type ConsumerSettings, DEFAULT_CONSUMER_SETTINGS } from '../../src/consumer/consumer-settings.ts'
import type { Handler } from '../../src/consumer/handler.ts'
import type { KafkaSettings } from '../../src/kafka/kafka-settings.ts'
import type { Database } from '../../src/postgres/database.ts'
import { type Log, silentLog } from '../../src/process/log.ts'

/** A group name that no other test uses. */
export function newGroup(): string {
  return `group-${randomBytes(6).toString('hex')}`
}

/** Settings as the product has them, but quick to notice: short session, short waits. */
export function testSettings(
  given: Partial<ConsumerSettings> & Pick<ConsumerSettings, 'topics'>,
): ConsumerSettings {
  return {
    ...DEFAULT_CONSUMER_SETTINGS,
    sessionTimeoutMs: 6_000,
    retryWaitMs: 500,
    group: newGroup(),
    ...given,
  }
}

export type TestConsumerOptions = {
  readonly settings: ConsumerSettings
  readonly handler: Handler
  readonly database: Database
  readonly kafka: KafkaSettings
  readonly observer?: Partial<ConsumerObserver>
  readonly requestRun?: (reason: string) => Promise<void>
  readonly log?: Log
}

/** A consumer in this process, stopped at the end of the test. */
export async function startTestConsumer(options: TestConsumerOptions): Promise<Consumer & AsyncDisposable> {
  const consumer = await startConsumer({
    ...options,
    log: options.log ?? silentLog,
    observer: { ...silentObserver, ...options.observer },
    requestRun: options.requestRun ?? (async () => undefined),
  })
  return Object.assign(consumer, { [Symbol.asyncDispose]: () => consumer.stop() })
}

/** The effect statement of the example. */
export const ledgerEffect: Handler = {
  kind: 'sql',
  text: readFileSync(new URL('../../examples/payments/effect.sql', import.meta.url), 'utf8'),
}

/** Makes the table that the example's effects go into. */
export async function createLedger(database: Database): Promise<void> {
  await database.query(
    readFileSync(new URL('../../examples/payments/ledger_entries.sql', import.meta.url), 'utf8'),
  )
}
