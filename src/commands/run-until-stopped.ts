import type { Configuration, Need } from '../configuration/configuration.ts'
import { DEFAULT_CONSUMER_SETTINGS } from '../consumer/consumer-settings.ts'
import { startHttpServer } from '../http/http-server.ts'
import { type Metrics, openMetrics } from '../http/metrics.ts'
import { openRates } from '../http/open-rates.ts'
import { assertRetention } from '../maintenance/interlock.ts'
import { tableOf } from '../maintenance/policy.ts'
import { startWorker, type Worker } from '../maintenance/worker.ts'
import { type Log, openLog } from '../process/log.ts'
import { limitStop, listenForShutdown } from '../process/shutdown.ts'
import { addFigures } from './add-figures.ts'
import { assertJobSchema } from './assert-job-schema.ts'
import type { CommandOptions } from './command-options.ts'
import { openConsumer } from './open-consumer.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { openPageSource } from './page-source.ts'
import { readConfiguration } from './read-configuration.ts'
import { healthOf, type Running } from './running.ts'

/** What a process does until it is stopped. */
export type Roles = { readonly consumes: boolean; readonly maintains: boolean }

/** For the run in hand and for closing connections, beyond what the batch in hand may take. */
const GRACE_MS = 5_000

/**
 * Starts what the roles ask for, waits for a signal, and ends in order: readiness off, the batch in hand, the run in
 * hand, the pool, and HTTP last, so that probes are answered to the end. What is opened first here closes last.
 */
export async function runUntilStopped(options: CommandOptions, roles: Roles): Promise<number> {
  const loaded = readConfiguration(options, needsOf(roles))
  const { configuration } = loaded
  const { policies, kafka } = configuration
  const log = openLog(configuration.log)
  using shutdown = listenForShutdown(log)
  const metrics = openMetrics(policies.map(tableOf), log)
  const running: Running = { database: null, consumer: null }
  const rates = openRates(metrics.consumerObserver, Date.now)
  const page = openPageSource(options, loaded, running, roles.consumes ? rates.read : null, log)
  const health = healthOf(roles.consumes ? configuration.consumer : null, running)

  await using server = await startHttpServer({ ...configuration.http, ...health, metrics, page })
  log.info({ address: server.address }, 'serving the page, /livez, /readyz and /metrics')
  const settings = roles.consumes ? configuration.database : configuration.maintenanceDatabase
  await using database = await openMigratedDatabase(settings, log)
  await assertJobSchema(database)
  running.database = database
  // The worker does the same when it starts.
  if (!roles.maintains) await assertRetention({ kafka, log }, policies.slice(0, 1))
  await using worker = roles.maintains ? await openWorker(configuration, log, metrics) : null
  await using consumer = roles.consumes
    ? await openConsumer({ configuration, database, log, observer: rates.observer })
    : null
  running.consumer = consumer
  addFigures(metrics, policies, database, running)
  log.info({ consumes: roles.consumes, maintains: roles.maintains, database: database.address }, 'started')

  await Promise.race([shutdown.asked, ...(worker === null ? [] : [worker.done])])
  server.turnUnready()
  limitStop(
    (configuration.consumer?.shutdownTimeoutMs ?? DEFAULT_CONSUMER_SETTINGS.shutdownTimeoutMs) + GRACE_MS,
    log,
  )
  // It need not wait for the batch in hand: both have the same deadline.
  worker?.stop().catch(() => undefined)
  if (shutdown.signal.aborted) return 0
  log.error({}, 'the worker ended by itself')
  return 1
}

function needsOf({ consumes, maintains }: Roles): Need[] {
  return [
    'http',
    ...(consumes ? (['kafka', 'consumer'] as const) : []),
    ...(maintains ? (['replay-horizon'] as const) : []),
  ]
}

async function openWorker(
  { maintenanceDatabase, kafka, policies }: Configuration,
  log: Log,
  metrics: Metrics,
): Promise<Worker & AsyncDisposable> {
  const parts = { direct: maintenanceDatabase, kafka, log, observer: metrics.maintenanceObserver }
  const worker = await startWorker(parts, policies)
  return { ...worker, [Symbol.asyncDispose]: () => worker.stop() }
}
