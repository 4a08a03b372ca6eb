import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type ConsumerSettings, DEFAULT_CONSUMER_SETTINGS } from '../consumer/consumer-settings.ts'
import type { KafkaSettings } from '../kafka/kafka-settings.ts'
import type { Policy } from '../maintenance/policy.ts'
import { ConfigError } from './config-error.ts'
import type { Configuration } from './configuration.ts'
import type { Found } from './gather.ts'
import { limitsOf, tablePolicies } from './resolve-tables.ts'
import type { ParsedSettings } from './schema.ts'
import type { Source } from './source.ts'

const DAY_MS = 86_400_000

/** What is held beside the connections that batches take: health, probes, metrics, run requests. */
const SPARE_CONNECTIONS = 4

/** Turns parsed settings into what the parts of the program take. */
export function resolveSettings(
  parsed: ParsedSettings,
  found: ReadonlyMap<string, Found>,
  source: Source,
): Configuration {
  const { database, consumer, http } = parsed
  const pathOf = (path: string, value: string): string => {
    const fromFile = found.get(path)?.from === 'file' && source.file !== null
    return resolve(fromFile ? dirname(source.file.path) : source.directory, value)
  }
  return {
    database: {
      url: database.url,
      schema: database.schema,
      poolSize: consumer.concurrency + SPARE_CONNECTIONS,
      applicationName: 'daymark',
    },
    maintenanceDatabase: {
      url: database.maintenanceUrl ?? database.url,
      schema: database.schema,
      poolSize: 3,
      applicationName: 'daymark:maintenance',
    },
    kafka: resolveKafka(parsed, pathOf),
    consumer: resolveConsumer(parsed),
    handlerPath: consumer.handler === undefined ? null : pathOf('consumer.handler', consumer.handler),
    policies: [markerPolicy(parsed), ...tablePolicies(parsed)],
    http: {
      host: http.host,
      port: http.port,
      credentials:
        http.user === undefined || http.password === undefined
          ? null
          : { user: http.user, password: http.password },
    },
    log: parsed.log,
  }
}

function resolveKafka(
  { kafka }: ParsedSettings,
  pathOf: (path: string, value: string) => string,
): KafkaSettings | null {
  if (kafka.brokers === undefined) return null
  const { username, password, mechanism } = kafka.sasl
  return {
    brokers: kafka.brokers,
    clientId: kafka.clientId,
    ...(kafka.tls.enabled ? { tls: certificateAuthority(kafka.tls.caFile, pathOf) } : {}),
    ...(username === undefined || password === undefined ? {} : { sasl: { mechanism, username, password } }),
  }
}

function certificateAuthority(
  caFile: string | undefined,
  pathOf: (path: string, value: string) => string,
): { ca?: string } {
  if (caFile === undefined) return {}
  const path = pathOf('kafka.tls.caFile', caFile)
  try {
    return { ca: readFileSync(path, 'utf8') }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new ConfigError([`expected kafka.tls.caFile to be a file that can be read, got '${path}': ${code}`])
  }
}

function resolveConsumer({ consumer, maintenance }: ParsedSettings): ConsumerSettings | null {
  const { group, topics } = consumer
  if (group === undefined || topics === undefined) return null
  const headerName = consumer.eventId.startsWith('header:') ? consumer.eventId.slice('header:'.length) : null
  return {
    ...DEFAULT_CONSUMER_SETTINGS,
    group,
    topics,
    eventId: headerName === null ? { kind: 'key' } : { kind: 'header', name: headerName },
    markerDay: consumer.markerDay,
    idScope: consumer.idScope,
    overlapMs: consumer.overlap,
    acceptIdentityChange: consumer.acceptIdentityChange,
    batchRows: consumer.batchRows,
    batchBytes: consumer.batchBytes,
    batchTimeoutMs: consumer.batchTimeout,
    concurrency: consumer.concurrency,
    sequenceHeader: consumer.sequenceHeader ?? null,
    onExpired: consumer.onExpired,
    onLostRecords: consumer.onLostRecords,
    deadLetterLimit: consumer.deadLetterLimit,
    startFrom: consumer.startFrom,
    shutdownTimeoutMs: consumer.shutdownTimeout,
    sessionTimeoutMs: consumer.sessionTimeout,
    retryWaitMs: consumer.retryWait,
    runwayDays: maintenance.runwayDays,
  }
}

function markerPolicy({ database, consumer, maintenance }: ParsedSettings): Policy {
  return {
    schema: database.schema,
    table: 'processed_events',
    topics: consumer.topics ?? [],
    unpartitioned: null,
    keepDetachedMs: maintenance.keepDetached ?? 0,
    maxPublishDelayMs: maintenance.maxPublishDelay ?? (consumer.markerDay === 'event-id' ? DAY_MS : 0),
    ...limitsOf(maintenance),
  }
}
