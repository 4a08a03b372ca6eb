import { writeSync } from 'node:fs'
import { type ConsumerOptions, startConsumer } from '../../src/consumer/consumer.ts'
import { silentObserver } from '../../src/consumer/consumer-observer.ts'
import type { ConsumerSettings } from '../../src/consumer/consumer-settings.ts'
import type { Handler } from '../../src/consumer/handler.ts'
import { loadHandler } from '../../src/consumer/load-handler.ts'
import type { KafkaSettings } from '../../src/kafka/kafka-settings.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import type { DatabaseSettings } from '../../src/postgres/database-settings.ts'
import { openLog } from '../../src/process/log.ts'

/** Where a process stops dead: with the effects written and nothing committed, or right after the database's commit. */
export type Halt = { readonly at: 'before-commit' | 'after-commit'; readonly eventId: string }

/** What a consumer process is told. */
export type ConsumerProcessOptions = {
  readonly settings: ConsumerSettings
  readonly database: DatabaseSettings
  readonly kafka: KafkaSettings
  readonly handlerPath: string
  readonly halt?: Halt
}

/**
 * A consumer as a process of its own, to be killed or frozen: `node consumer-process.ts '{"settings":…}'`. At its halt
 * it says so on stdout and stops itself with SIGSTOP, in the middle of what it does: no timer runs, no heartbeat goes
 * out, no socket is answered, until it is killed or woken.
 */
const { settings, database, kafka, handlerPath, halt } = JSON.parse(
  process.argv[2] ?? '',
) as ConsumerProcessOptions
let isDue = false

function haltAt(place: Halt['at']): void {
  if (halt?.at !== place || !isDue) return
  isDue = false
  writeSync(1, `halted ${place}\n`)
  process.kill(process.pid, 'SIGSTOP')
}

function withHalt(handler: Handler): Handler {
  if (halt === undefined || handler.kind === 'sql') return handler
  return {
    kind: 'batch',
    async apply(events, tx) {
      if (events.some(({ eventId }) => eventId === halt.eventId)) isDue = true
      if (handler.kind === 'batch') await handler.apply(events, tx)
      else for (const event of events) await handler.applyEach(event, tx)
      haltAt('before-commit')
    },
  }
}

const options: ConsumerOptions = {
  settings,
  kafka,
  database: openDatabase(database, () => undefined),
  handler: withHalt(await loadHandler(handlerPath)),
  log: openLog({ level: 'warn' }),
  requestRun: async () => undefined,
  observer: {
    ...silentObserver,
    batchRecorded: () => haltAt('after-commit'),
    assigned(places) {
      writeSync(1, `assigned ${places.map(({ topic, partition }) => `${topic}/${partition}`).join(' ')}\n`)
    },
  },
}
const consumer = await startConsumer(options)
process.on('SIGTERM', () => {
  void consumer.stop().then(() => options.database.end())
})
