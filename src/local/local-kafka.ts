import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { requireFreePort } from './free-port.ts'
import { fetchKafkaJars } from './kafka-jars.ts'
import { prepareKafkaStorage } from './kafka-storage.ts'
import { endLeftover } from './leftover.ts'
import { requireJava } from './require-java.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

export type LocalKafka = {
  /** `host:port`. */
  readonly broker: string
  readonly process: ServerProcess
  stop(): Promise<void>
}

export type LocalKafkaOptions = {
  /** Where its logs of records are; kept, so that the next start continues. */
  readonly directory: string
  /** Where the jars are kept, to be shared by several brokers. */
  readonly jarDirectory: string
  readonly port: number
  readonly controllerPort: number
  /** Broker settings, `name=value`. */
  readonly properties?: readonly string[]
  /** SCRAM credentials, as the storage tool's `--add-scram` takes them; made with the storage, once. */
  readonly scramCredentials?: readonly string[]
  /** The variables by which a person sets the ports, for the sentence that says that one is taken. */
  readonly portVariables?: string
  /** Hears what takes long: fetching the jars. */
  readonly report?: (sentence: string) => void
  /** Gives the start up, and leaves no process. */
  readonly signal?: AbortSignal
}

/** Starts a real Apache Kafka, one node in KRaft mode, on the loopback interface. About 2 s. */
export async function startLocalKafka(options: LocalKafkaOptions): Promise<LocalKafka> {
  const { directory, port, signal } = options
  const pidFile = join(directory, 'kafka.pid')
  const propertiesFile = join(directory, 'server.properties')
  await requireJava()
  // SIGKILL, as its end by this process's death would be: the broker recovers its logs at the next start.
  await endLeftover({ pidFile, mark: propertiesFile, signal: 'SIGKILL', timeoutMs: 10_000 })
  for (const taken of [port, options.controllerPort]) {
    await requireFreePort('Kafka', taken, adviceOnPort(options))
  }
  const jars = await fetchKafkaJars(options.jarDirectory, options.report ?? (() => undefined), signal)
  mkdirSync(directory, { recursive: true })
  writeFileSync(propertiesFile, propertiesOf(options))
  const java = ['java', '-Xmx512m', ...LOGGING, '-cp', join(jars, '*')]
  await prepareKafkaStorage(java, directory, propertiesFile, options)
  const server = await startServerProcess({
    name: 'Kafka',
    command: [...java, 'kafka.Kafka', propertiesFile],
    directory,
    logFile: join(directory, 'kafka.log'),
    deathSignal: 'KILL',
    ready: () => accepts(port),
    readyTimeoutMs: 60_000,
    signal,
  })
  writeFileSync(pidFile, String(server.pid))
  return {
    broker: `127.0.0.1:${port}`,
    process: server,
    async stop() {
      await server.stop('SIGTERM', 10_000)
      rmSync(pidFile, { force: true })
    },
  }
}

function adviceOnPort({ portVariables }: LocalKafkaOptions): string {
  const another = portVariables === undefined ? '' : ` set ${portVariables} to another,`
  return `End what listens there,${another} or set KAFKA_BROKERS to use a Kafka that you have.`
}

const LOGGING = [
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
]

function propertiesOf(options: LocalKafkaOptions): string {
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${options.controllerPort}`,
    `listeners=PLAINTEXT://127.0.0.1:${options.port},CONTROLLER://127.0.0.1:${options.controllerPort}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${options.port}`,
    'controller.listener.names=CONTROLLER',
    `log.dirs=${join(options.directory, 'logs')}`,
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=4',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'transaction.state.log.num.partitions=4',
    'share.coordinator.state.topic.replication.factor=1',
    'share.coordinator.state.topic.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    'auto.create.topics.enable=false',
    ...(options.properties ?? []),
    '',
  ].join('\n')
}

async function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
