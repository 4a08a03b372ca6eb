import kafkajs, { type Kafka, type LogEntry } from 'kafkajs'
import type { Log } from '../process/log.ts'
import { registerCodecs } from './codecs.ts'
import type { KafkaSettings } from './kafka-settings.ts'
import { readLargeRecordBatches } from './large-record-batches.ts'

/** A kafkajs client. Connects nothing by itself. */
export function connectKafka(settings: KafkaSettings, log: Log): Kafka {
  registerCodecs()
  readLargeRecordBatches()
  return new kafkajs.Kafka({
    clientId: settings.clientId,
    brokers: [...settings.brokers],
    connectionTimeout: 5_000,
    // Without it a broker that accepts and never answers holds a request for ever.
    requestTimeout: 30_000,
    enforceRequestTimeout: true,
    retry: { initialRetryTime: 200, maxRetryTime: 5_000, retries: 5 },
    ...(settings.tls === undefined
      ? {}
      : { ssl: settings.tls.ca === undefined ? true : { ca: [settings.tls.ca] } }),
    ...(settings.sasl === undefined ? {} : { sasl: settings.sasl }),
    logLevel: kafkajs.logLevel.INFO,
    logCreator: () => (entry) => writeEntry(log, entry),
  } as ConstructorParameters<typeof Kafka>[0])
}

/**
 * kafkajs logs as errors what it then tries again, and what it throws as well; the place that decides what an error
 * means logs it once. So its lines are kept one level lower than it gives them.
 */
function writeEntry(log: Log, { namespace, level, log: entry }: LogEntry): void {
  const { message, logger: _logger, timestamp: _timestamp, stack: _stack, ...facts } = entry
  const fields = { library: 'kafkajs', namespace, ...facts }
  if (level <= kafkajs.logLevel.WARN) log.info(fields, message)
  else log.debug(fields, message)
}
