import { type DestinationStream, destination, type Logger, pino } from 'pino'

/** The facts of a log line, by names in snake_case: `consumer_group`, `event_id`, `topic`, `partition`, `offset`. */
export type LogFields = Readonly<Record<string, unknown>>

/**
 * What the program says while it works, as JSON lines. A line is a constant sentence and its facts as fields, written
 * once, at the place that decides; never a payload.
 */
export type Log = {
  debug(fields: LogFields, sentence: string): void
  info(fields: LogFields, sentence: string): void
  warn(fields: LogFields, sentence: string): void
  error(fields: LogFields, sentence: string): void
  /** Whether debug lines are written at all: ask before building one for every event. */
  isDebug(): boolean
  /** The same log with facts that every line carries. */
  child(fields: LogFields): Log
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Opens a log on stderr, because stdout is for data. Lines are written at once: what was logged before a crash or a
 * second Ctrl-C is there, and nothing has to be flushed. An error goes in as the field `err`.
 */
export function openLog(options: {
  readonly level: LogLevel
  readonly destination?: NodeJS.WritableStream
}): Log {
  const stream: DestinationStream = options.destination ?? destination({ dest: 2, sync: true })
  return logOf(
    pino(
      {
        level: options.level,
        base: { pid: process.pid },
        timestamp: () => `,"time":"${new Date().toISOString()}"`,
        formatters: { level: (label) => ({ level: label }) },
      },
      stream,
    ),
  )
}

/** A log that says nothing, for tests and for commands that only answer. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  isDebug: () => false,
  child: () => silentLog,
}

function logOf(logger: Logger): Log {
  return {
    debug: (fields, sentence) => logger.debug(fields, sentence),
    info: (fields, sentence) => logger.info(fields, sentence),
    warn: (fields, sentence) => logger.warn(fields, sentence),
    error: (fields, sentence) => logger.error(fields, sentence),
    isDebug: () => logger.isLevelEnabled('debug'),
    child: (fields) => logOf(logger.child(fields)),
  }
}
