import { join } from 'node:path'
import { startLocalKafka } from '../../local/local-kafka.ts'
import { startLocalPostgres } from '../../local/local-postgres.ts'
import type { ServerProcess } from '../../local/server-process.ts'
import { openDirectSession } from '../../postgres/direct-session.ts'
import { type DemoSettings, PORT_VARIABLES } from './demo-settings.ts'
import { createDatabase } from './sql/create-database.ts'
import { findDatabase } from './sql/find-database.ts'

const DATABASE = 'daymark'

/** The servers that the demo brings. */
export type DemoServers = AsyncDisposable & {
  /** What the environment would have to hold for everything else to find them. */
  readonly variables: Readonly<Record<string, string>>
  /** Resolves to a sentence when one of them ends by itself. */
  readonly lost: Promise<string>
}

/**
 * Starts those of the two servers that the environment does not name. Both at once; where one fails, or the start is
 * given up, the other is stopped before the call rejects.
 */
export async function startDemoServers(
  settings: DemoSettings,
  report: (sentence: string) => void,
  signal: AbortSignal,
): Promise<DemoServers> {
  const starts = await Promise.allSettled([
    settings.bringsPostgres ? startPostgres(settings, report, signal) : null,
    settings.bringsKafka ? startKafka(settings, report, signal) : null,
  ])
  const servers = starts.flatMap((start) =>
    start.status === 'fulfilled' && start.value ? [start.value] : [],
  )
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()))
  }
  const failure = starts.find((start) => start.status === 'rejected')
  if (failure !== undefined) {
    await stop()
    throw failure.reason
  }
  return {
    variables: Object.assign({}, ...servers.map((server) => server.variables)),
    lost: Promise.race(servers.map(whenLost)),
    [Symbol.asyncDispose]: stop,
  }
}

type DemoServer = {
  readonly name: string
  readonly process: ServerProcess
  readonly logFile: string
  readonly variables: Readonly<Record<string, string>>
  stop(): Promise<void>
}

async function startPostgres(
  { directory: state, postgresPort }: DemoSettings,
  report: (sentence: string) => void,
  signal: AbortSignal,
): Promise<DemoServer> {
  report(`starting PostgreSQL on 127.0.0.1:${postgresPort}`)
  const directory = join(state, 'postgres')
  const server = await startLocalPostgres({
    directory,
    port: postgresPort,
    portVariable: PORT_VARIABLES.postgres,
    signal,
  })
  try {
    await using session = await openDirectSession({
      url: server.urlOf('postgres'),
      schema: 'daymark',
      poolSize: 1,
      applicationName: 'daymark:demo',
    })
    // The folder is locked, so that nobody else makes it meanwhile.
    if (!(await findDatabase(session, DATABASE))) await createDatabase(session, DATABASE)
  } catch (error) {
    await server.stop()
    throw error
  }
  const url = server.urlOf(DATABASE)
  return {
    name: 'PostgreSQL',
    process: server.process,
    logFile: join(directory, 'postgres.log'),
    // Both names: a maintenance URL that is left in the environment would lead to another database.
    variables: { DATABASE_URL: url, MAINTENANCE_DATABASE_URL: url },
    stop: server.stop,
  }
}

async function startKafka(
  { directory: state, kafkaPort, controllerPort }: DemoSettings,
  report: (sentence: string) => void,
  signal: AbortSignal,
): Promise<DemoServer> {
  report(`starting Kafka on 127.0.0.1:${kafkaPort}`)
  const directory = join(state, 'kafka')
  const server = await startLocalKafka({
    directory,
    jarDirectory: state,
    port: kafkaPort,
    controllerPort,
    portVariables: PORT_VARIABLES.kafka,
    // A broker that was killed is let in again when its old session is over: after 3 s instead of 9.
    properties: ['broker.session.timeout.ms=3000', 'broker.heartbeat.interval.ms=500'],
    report,
    signal,
  })
  return {
    name: 'Kafka',
    process: server.process,
    logFile: join(directory, 'kafka.log'),
    variables: { KAFKA_BROKERS: server.broker },
    stop: server.stop,
  }
}

async function whenLost({ name, process, logFile }: DemoServer): Promise<string> {
  await process.exited
  return `${name} has ended by itself; ${logFile} says why`
}
