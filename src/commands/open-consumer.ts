import type { Configuration } from '../configuration/configuration.ts'
import { type Consumer, startConsumer } from '../consumer/consumer.ts'
import type { ConsumerObserver } from '../consumer/consumer-observer.ts'
import { loadHandler } from '../consumer/load-handler.ts'
import { startProbes } from '../consumer/probes.ts'
import { tableOf } from '../maintenance/policy.ts'
import { openRunRequests } from '../maintenance/run-request.ts'
import { readRunway } from '../maintenance/runway.ts'
import type { Database } from '../postgres/database.ts'
import type { Log } from '../process/log.ts'
import { brokerRefusal } from './broker-refusal.ts'
import { RefusedError } from './refused-error.ts'

/** What a consuming process is given. */
export type ConsumingParts = {
  readonly configuration: Configuration
  readonly database: Database
  readonly log: Log
  readonly observer: ConsumerObserver
}

/** Starts the consumer with all that belongs to it: its handler, its probes, and the way to ask for a run. */
export async function openConsumer(parts: ConsumingParts): Promise<Consumer & AsyncDisposable> {
  const { configuration, database, log, observer } = parts
  const { consumer: settings, kafka, handlerPath } = configuration
  if (settings === null || kafka === null || handlerPath === null) {
    throw new RefusedError('starting the consumer: it needs brokers, a group, topics and a handler')
  }
  const handler = await loadHandler(handlerPath)
  const requests = await openRunRequests(configuration.database, log)
  const requestRun = async (reason: string): Promise<void> => {
    log.info({ reason }, 'a run of maintenance is requested')
    // The marker table comes first; no other is this consumer's concern.
    for (const policy of configuration.policies.slice(0, 1)) await requests.request(tableOf(policy))
  }
  try {
    const consumer = await startConsumer({ settings, handler, database, kafka, log, observer, requestRun })
    const probes = startProbes(
      [
        { name: 'runway', ask: () => requestMissingDay(database, requestRun) },
        { name: 'progress', ask: () => consumer.lookBehind() },
      ],
      log,
    )
    return {
      ...consumer,
      async [Symbol.asyncDispose]() {
        await consumer.stop()
        await probes.stop()
        await requests.end()
      },
    }
  } catch (error) {
    await requests.end()
    throw brokerRefusal(kafka, error)
  }
}

/** The runway through this process's own role: a worker that died quietly is found out a day before it hurts. */
async function requestMissingDay(
  database: Database,
  requestRun: (reason: string) => Promise<void>,
): Promise<void> {
  const { runwayDays } = await readRunway(database)
  if (runwayDays < 1) await requestRun(`there is no partition for ${runwayDays < 0 ? 'today' : 'tomorrow'}`)
}
