import { setTimeout as delay } from 'node:timers/promises'
import { joinGroup } from '../kafka/consumer-group.ts'
import { openKafkaAdmin } from '../kafka/kafka-admin.ts'
import type { KafkaSettings } from '../kafka/kafka-settings.ts'
import type { Database } from '../postgres/database.ts'
import type { Log } from '../process/log.ts'
import type { ConsumerObserver } from './consumer-observer.ts'
import type { ConsumerParts } from './consumer-parts.ts'
import type { ConsumerSettings } from './consumer-settings.ts'
import { type ConsumerSnapshot, snapshotOf } from './consumer-snapshot.ts'
import type { Handler } from './handler.ts'
import { pinIdentity } from './pin-identity.ts'
import { prepareHandler } from './prepare-handler.ts'
import { Reader } from './reader.ts'

/** What a consumer is made of. Database and log stay their owner's to close. */
export type ConsumerOptions = {
  readonly settings: ConsumerSettings
  readonly handler: Handler
  readonly database: Database
  readonly kafka: KafkaSettings
  readonly log: Log
  readonly observer: ConsumerObserver
  readonly requestRun: (reason: string) => Promise<void>
}

/** How long a rollback may take after the time for a stop is over. */
const ROLLBACK_MS = 2_000

/** A running consumer. */
export type Consumer = {
  /**
   * Stops fetching, finishes the batch in hand, commits its offset, leaves the group. What does not end within
   * `shutdownTimeoutMs` is rolled back. Never rejects.
   */
  stop(): Promise<void>
  snapshot(): ConsumerSnapshot
  /** Compares what it remembers with the database, for topic partitions that are idle, and reads again what is behind. */
  lookBehind(): Promise<void>
}

/**
 * Starts a consumer: pins the group's identity settings, explains an SQL handler, joins the group. Rejects with a
 * ConsumerStartError where something must be mended first, with the server's own error where one does not answer.
 */
export async function startConsumer(options: ConsumerOptions): Promise<Consumer> {
  const { settings, database, kafka } = options
  const log = options.log.child({ consumer_group: settings.group })
  await pinIdentity(database, settings, log)
  const handler = await prepareHandler(database, options.handler)
  if (handler.kind === 'sql' && handler.warning !== null) {
    log.warn({ warning: handler.warning }, 'the handler may not do what it looks like')
  }
  const admin = await openKafkaAdmin(kafka, log)
  const givingUp = new AbortController()
  const parts: ConsumerParts = {
    settings,
    handler,
    database,
    admin,
    log,
    observer: options.observer,
    requestRun: options.requestRun,
    clock: () => performance.timeOrigin + performance.now(),
    chance: Math.random,
    giveUp: givingUp.signal,
  }
  const reader = new Reader(parts)
  try {
    return await join(parts, reader, kafka, givingUp)
  } catch (error) {
    await admin.end()
    throw error
  }
}

async function join(
  parts: ConsumerParts,
  reader: Reader,
  kafka: KafkaSettings,
  givingUp: AbortController,
): Promise<Consumer> {
  const { settings, log, admin } = parts
  const { group, topics, concurrency, sessionTimeoutMs } = settings
  const member = await joinGroup(
    { kafka, group, topics, concurrency, sessionTimeoutMs, log },
    {
      assigned: (places, isPresent) => reader.assigned(places, isPresent),
      batch: (fetched, claim) => reader.batch(fetched, claim),
      settled: () => reader.settled(),
      emptied: (place, lastOffset, commit) => reader.emptied(place, lastOffset, commit),
      crashed(error, waitMs) {
        log.error({ err: error, wait_ms: waitMs }, 'the membership ended and is begun anew')
      },
    },
  )
  reader.member = member
  let stopped: Promise<void> | undefined
  return {
    snapshot: () => snapshotOf(member.assignment() !== null, reader.readings),
    lookBehind: () => reader.lookBehind(),
    stop() {
      stopped ??= stop()
      return stopped
    },
  }

  async function stop(): Promise<void> {
    const left = member.stop().then(() => admin.end().catch(() => undefined))
    await Promise.race([left, delay(settings.shutdownTimeoutMs, undefined, { ref: false })])
    // What is still in hand is rolled back now; a broker that does not answer learns from the session timeout.
    givingUp.abort()
    await Promise.race([left, delay(ROLLBACK_MS, undefined, { ref: false })])
  }
}
