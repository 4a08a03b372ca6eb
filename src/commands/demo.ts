import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { KafkaSettings } from '../kafka/kafka-settings.ts'
import { limitStop } from '../process/shutdown.ts'
import type { CommandOptions } from './command-options.ts'
import { lockCheckout } from './demo/checkout-lock.ts'
import { openPipeline, type Pipeline } from './demo/demo-pipeline.ts'
import { type DemoScreen, openDemoScreen } from './demo/demo-screen.ts'
import { type DemoServers, startDemoServers } from './demo/demo-servers.ts'
import { readDemoSettings, STATE_DIRECTORY } from './demo/demo-settings.ts'
import { openFileLog } from './demo/file-log.ts'
import { HANDLER_PATH, openSampleSource, requireExample } from './demo/payments-example.ts'
import { createPaymentsTopic, PAYMENTS_TOPIC } from './demo/payments-topic.ts'
import { reportFigures } from './demo/report-figures.ts'
import { produceSamples } from './demo/sample-producer.ts'
import { listenForStop, type StopWish } from './demo/stop-wish.ts'
import { migrate } from './migrate.ts'
import { readConfiguration } from './read-configuration.ts'
import { RefusedError } from './refused-error.ts'

/** How long a stop may take in all, and how much of it the batch in hand. */
const STOP_LIMIT_MS = 18_000
const SETTINGS_OF_DEMO = {
  'consumer.group': 'ledger-writer',
  'consumer.topics': PAYMENTS_TOPIC,
  'consumer.handler': HANDLER_PATH,
  'consumer.shutdownTimeout': '8 seconds',
} as const

/**
 * Everything at work on this machine, until it is stopped: the servers that the environment does not name, consumer and
 * worker, and a producer of sample payments.
 */
export async function demo(options: CommandOptions): Promise<number> {
  const screen = openDemoScreen(process.stdout, process.stderr)
  using stop = listenForStop((sentence) => {
    screen.end()
    screen.say(sentence)
  })
  try {
    await work({ ...options, flags: { ...SETTINGS_OF_DEMO, ...options.flags } }, screen, stop)
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
  const { log: logSettings } = readConfiguration(options, ['http']).configuration
  mkdirSync(STATE_DIRECTORY, { recursive: true })
  using _lock = await lockCheckout(STATE_DIRECTORY)
  const log = openFileLog(join(STATE_DIRECTORY, 'demo.log'), logSettings.level)
  stop.signal.addEventListener('abort', () => limitStop(STOP_LIMIT_MS, log))
  // What the environment names is asked first: it refuses at once, and not after another server was started.
  if (!settings.bringsPostgres) await migrate({ ...options, printSql: false })
  if (!settings.bringsKafka) await createPaymentsTopic(kafkaOf(options), log)
  await using servers = await startDemoServers(settings, screen.say, stop.signal)
  // From here on it is as if the environment had named all servers: everything else finds them as it finds others.
  Object.assign(process.env, servers.variables)
  if (settings.bringsPostgres) await migrate({ ...options, printSql: false })
  if (settings.bringsKafka) await createPaymentsTopic(kafkaOf(options), log)
  stop.signal.throwIfAborted()
  const { configuration } = readConfiguration(options, ['http', 'kafka', 'consumer', 'replay-horizon'])
  await using pipeline = await openPipeline(configuration, log)
  using _watch = stop.askWhen(Promise.race([servers.lost, workerEnd(pipeline)]))
  const source = await openSampleSource(settings.perSecond)
  screen.say(welcome(pipeline, servers))
  await Promise.all([
    produceSamples(kafkaOf(options), PAYMENTS_TOPIC, source, log, stop.signal),
    reportFigures(pipeline, screen.show, log, stop.signal),
  ])
  pipeline.server.turnUnready()
}

function kafkaOf(options: CommandOptions): KafkaSettings {
  const { kafka } = readConfiguration(options, ['kafka']).configuration
  if (kafka === null) throw new RefusedError('starting the demo: no broker is named')
  return kafka
}

async function workerEnd({ worker }: Pipeline): Promise<string> {
  await worker.done.catch(() => undefined)
  return 'the worker has ended by itself'
}

function welcome({ server }: Pipeline, { variables }: DemoServers): string {
  const database = variables.DATABASE_URL === undefined ? '' : ` ${variables.DATABASE_URL}`
  return `
  health   ${server.address}/readyz
  metrics  ${server.address}/metrics
  look     psql${database} -c 'select count(*) from ledger_entries'
  Kafka    ${process.env.KAFKA_BROKERS ?? process.env.KAFKA_BOOTSTRAP_SERVERS}, topic ${PAYMENTS_TOPIC}
  state    ${STATE_DIRECTORY}: kept for the next start, with the log in demo.log; remove it to begin anew
  stop     Ctrl-C
`
}
