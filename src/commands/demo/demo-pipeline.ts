import type { Configuration } from '../../configuration/configuration.ts'
import type { LoadedConfiguration } from '../../configuration/load-configuration.ts'
import type { Consumer } from '../../consumer/consumer.ts'
import { openDeadLetterMetrics } from '../../http/dead-letter-metrics.ts'
import { type HttpServer, startHttpServer } from '../../http/http-server.ts'
import { openLagMetrics } from '../../http/lag-metrics.ts'
import { openMetrics } from '../../http/metrics.ts'
import { openRates } from '../../http/open-rates.ts'
import { listDeadLettersByReason } from '../../http/sql/list-dead-letters-by-reason.ts'
import { openTableMetrics } from '../../http/table-metrics.ts'
import { type Policy, tableOf } from '../../maintenance/policy.ts'
import { startWorker, type Worker } from '../../maintenance/worker.ts'
import type { Log } from '../../process/log.ts'
import type { CommandOptions } from '../command-options.ts'
import { openConsumer } from '../open-consumer.ts'
import { openMigratedDatabase } from '../open-migrated-database.ts'
import { openPageSource } from '../page-source.ts'
import { RefusedError } from '../refused-error.ts'
import { healthOf, type Running } from '../running.ts'
import { readTableStanding, type TableStanding } from '../table-standing.ts'
import { type EventTally, openEventTally } from './event-tally.ts'
import { createLedger } from './payments-example.ts'

/** Consumer and worker at work, as `daymark run` has them. */
export type Pipeline = AsyncDisposable & {
  readonly server: HttpServer
  readonly worker: Worker
  readonly consumer: Consumer
  readonly tally: EventTally
  /** How the marker table stands. */
  readStanding(): Promise<TableStanding>
}

/** Starts both. They stop in the opposite order, and where a start fails, what was started before it stops. */
export async function openPipeline(
  options: CommandOptions,
  loaded: LoadedConfiguration,
  log: Log,
): Promise<Pipeline> {
  const { configuration } = loaded
  const { maintenanceDatabase: direct, kafka, policies } = configuration
  await using opened = new AsyncDisposableStack()
  const metrics = openMetrics(policies.map(tableOf), log)
  const running: Running = { database: null, consumer: null }
  const rates = openRates(metrics.consumerObserver, Date.now)
  const page = openPageSource(options, loaded, running, rates.read, log)
  const health = healthOf(configuration.consumer, running)
  const server = opened.use(await startHttpServer({ ...configuration.http, ...health, metrics, page }))
  const database = opened.use(await openMigratedDatabase(configuration.database, log))
  running.database = database
  await createLedger(database)
  const worker = await startWorker({ direct, kafka, log, observer: metrics.maintenanceObserver }, policies)
  opened.defer(() => worker.stop())
  const tally = openEventTally(rates.observer)
  const consumer = opened.use(await openConsumer({ configuration, database, log, observer: tally.observer }))
  running.consumer = consumer
  const readStanding = (): Promise<TableStanding> =>
    readTableStanding(database, markerPolicyOf(configuration))
  metrics.addSource((registry) => openTableMetrics(registry, async () => [await readStanding()]))
  metrics.addSource((registry) => openDeadLetterMetrics(registry, () => listDeadLettersByReason(database)))
  metrics.addSource((registry) => openLagMetrics(registry, () => consumer.snapshot().partitions, Date.now))
  const kept = opened.move()
  return { server, worker, consumer, tally, readStanding, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

function markerPolicyOf({ policies: [policy] }: Configuration): Policy {
  if (policy === undefined) throw new RefusedError('starting the demo: no table is named to look after')
  return policy
}
