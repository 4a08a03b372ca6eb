import { join } from 'node:path'
import type { Configuration } from '../configuration/configuration.ts'
import { openKafkaProducer } from '../kafka/kafka-producer.ts'
import type { KafkaSettings } from '../kafka/kafka-settings.ts'
import type { Log } from '../process/log.ts'
import { limitStop } from '../process/shutdown.ts'
import type { CommandOptions } from './command-options.ts'
import { openPipeline, type Pipeline } from './demo/demo-pipeline.ts'
import { type DemoScreen, openDemoScreen } from './demo/demo-screen.ts'
import { startDemoServers } from './demo/demo-servers.ts'
import { type DemoSettings, readDemoSettings } from './demo/demo-settings.ts'
import { lockDirectory } from './demo/directory-lock.ts'
import { openFileLog } from './demo/file-log.ts'
import { HANDLER_PATH, openSampleSource, requireExample } from './demo/payments-example.ts'
import { createPaymentsTopic } from './demo/payments-topic.ts'
import { reportFigures } from './demo/report-figures.ts'
import { produceSamples } from './demo/sample-producer.ts'
import { openStateDirectory } from './demo/state-directory.ts'
import { listenForStop, type StopWish } from './demo/stop-wish.ts'
import { migrate } from './migrate.ts'
import { readConfiguration } from './read-configuration.ts'
import { RefusedError } from './refused-error.ts'

/** How long a stop may take in all. */
const STOP_LIMIT_MS = 18_000

/** What the demo sets where no flag does. */
const DEMO_FLAGS = {
  'consumer.group': 'ledger-writer',
  'consumer.topics': 'payments',
  'consumer.handler': HANDLER_PATH,
  'consumer.shutdownTimeout': '8 seconds',
} as const

/**
 * Everything at work on this machine, until it is stopped: the servers that the environment does not name, consumer and
 * worker, and a producer of sample payments.
 */
export async function demo(options: CommandOptions): Promise<number> {
  using stop = listenForStop()
  const screen = openDemoScreen(() => stop.ask({ reason: 'nobody reads the output any more', exitCode: 0 }))
  stop.signal.addEventListener('abort', () => {
    screen.end()
    screen.say(`${stop.signal.reason}: stopping`)
  })
  try {
    await work({ ...options, flags: { ...DEMO_FLAGS, ...options.flags } }, screen, stop)
  } catch (error) {
    // What a stop cut short fails because of it.
    if (!stop.signal.aborted) throw error
  }
  screen.say('stopped; the state is kept, and the next start continues')
  return stop.exitCode()
}

async function work(options: CommandOptions, screen: DemoScreen, stop: StopWish): Promise<void> {
  const settings = readDemoSettings(process.env)
  requireExample()
  const { level } = readConfiguration(options, ['http']).configuration.log
  openStateDirectory(settings.directory)
  using _lock = await lockDirectory(settings.directory)
  const log = openFileLog(join(settings.directory, 'demo.log'), level)
  stop.signal.addEventListener('abort', () => limitStop(STOP_LIMIT_MS, log))
  // What the environment names is asked first: it refuses at once, and not after another server was started.
  if (!settings.bringsPostgres) await migrate({ ...options, printSql: false })
  if (!settings.bringsKafka) await prepareTopic(options, log)
  await using servers = await startDemoServers(settings, screen.say, stop.signal)
  // From here on it is as if the environment had named all servers: everything else finds them as it finds others.
  Object.assign(process.env, servers.variables)
  if (settings.bringsPostgres) await migrate({ ...options, printSql: false })
  if (settings.bringsKafka) await prepareTopic(options, log)
  stop.signal.throwIfAborted()
  const loaded = readConfiguration(options, ['http', 'kafka', 'consumer', 'replay-horizon'])
  const { configuration } = loaded
  const { kafka, topic } = placeOf(configuration)
  await using pipeline = await openPipeline(options, loaded, log)
  using _watch = stop.askWhen(Promise.race([servers.lost, workerEnd(pipeline)]))
  const source = await openSampleSource(settings.perSecond)
  screen.say(welcome(configuration, pipeline, settings))
  await using producer = await openKafkaProducer(kafka, log)
  await Promise.all([
    produceSamples((records) => producer.send(topic, records), source, log, stop.signal),
    reportFigures(pipeline, screen.show, log, stop.signal),
  ])
  pipeline.server.turnUnready()
}

async function prepareTopic(options: CommandOptions, log: Log): Promise<void> {
  const { configuration } = readConfiguration(options, ['kafka', 'consumer'])
  const { kafka, topic } = placeOf(configuration)
  await createPaymentsTopic(kafka, topic, log)
}

function placeOf({ kafka, consumer }: Configuration): { kafka: KafkaSettings; topic: string } {
  const topic = consumer?.topics[0]
  if (kafka === null || topic === undefined)
    throw new RefusedError('starting the demo: it needs a broker and a topic')
  return { kafka, topic }
}

async function workerEnd({ worker }: Pipeline): Promise<string> {
  await worker.done.catch(() => undefined)
  return 'the worker has ended by itself'
}

function welcome(configuration: Configuration, { server }: Pipeline, settings: DemoSettings): string {
  const { kafka, topic } = placeOf(configuration)
  // Where the database is somebody's own, its URL may hold a password that is nobody else's to read.
  const named = process.env.DATABASE_URL === undefined ? '' : ' "$DATABASE_URL"'
  const database = settings.bringsPostgres ? ` ${process.env.DATABASE_URL}` : named
  return `
  page     ${server.address}/
  health   ${server.address}/readyz
  metrics  ${server.address}/metrics
  look     psql${database} -c 'select count(*) from ledger_entries'
  Kafka    ${kafka.brokers.join(',')}, topic ${topic}
  state    ${settings.directory}: kept for the next start, with the log in demo.log; remove it to begin anew
  stop     Ctrl-C
`
}
