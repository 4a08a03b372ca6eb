/** A flag of the command line that sets one setting. */
export type Flag = {
  readonly flags: string
  readonly path: string
  readonly meaning: string
  /** `every` command has it, or only those about one group, that consume, that remove days, or that serve health and metrics. */
  readonly of: 'every' | 'grouping' | 'consuming' | 'removing' | 'serving'
}

/** Without zod, so that `--help` does not wait for the schema. Each path is one of the schema's; a test compares them. */
export const FLAGS: readonly Flag[] = [
  {
    flags: '--schema <name>',
    path: 'database.schema',
    meaning: "the schema of daymark's tables",
    of: 'every',
  },
  { flags: '--brokers <list>', path: 'kafka.brokers', meaning: 'Kafka brokers, host:port,…', of: 'every' },
  { flags: '--topics <list>', path: 'consumer.topics', meaning: 'topics to read or to outlast', of: 'every' },
  {
    flags: '--log-level <level>',
    path: 'log.level',
    meaning: 'debug, info, warn, error or silent',
    of: 'every',
  },
  { flags: '--group <name>', path: 'consumer.group', meaning: 'the consumer group', of: 'grouping' },
  {
    flags: '--handler <path>',
    path: 'consumer.handler',
    meaning: 'a module, or an effect.sql',
    of: 'consuming',
  },
  {
    flags: '--accept-identity-change <names>',
    path: 'consumer.acceptIdentityChange',
    meaning:
      'pinned settings that may change now, such as markerDay; records delivered again are applied twice',
    of: 'consuming',
  },
  {
    flags: '--keep-detached <time>',
    path: 'maintenance.keepDetached',
    meaning: "how long a removed day is parked before it is dropped, such as '24h'; not at all by default",
    of: 'removing',
  },
  {
    flags: '--http-host <address>',
    path: 'http.host',
    meaning: 'where to serve health and metrics',
    of: 'serving',
  },
  {
    flags: '--http-port <port>',
    path: 'http.port',
    meaning: 'and on which port; 0 takes a free one',
    of: 'serving',
  },
]
