import { DEAD_LETTER_ENTRIES } from './dead-letter-entries.ts'
import type { Entry } from './entry.ts'
import { PROGRESS_ENTRIES } from './progress-entries.ts'

/** Each command is imported when it is called, so that `--help` answers at once. */
export const ENTRIES: readonly Entry[] = [
  {
    name: 'demo',
    meaning: 'start PostgreSQL and Kafka on this machine, and consume a sample stream of payments',
    example: 'daymark demo --http-port 9480',
    flagsOf: ['serving'],
    run: async (options) => (await import('./demo.ts')).demo(options),
  },
  {
    name: 'migrate',
    meaning: "bring daymark's tables and pg-boss's schema up to date",
    example: 'daymark migrate --print-grants | psql "$DATABASE_URL"',
    switches: {
      '--print-sql': 'print the SQL of the tables, and change nothing',
      '--print-grants': 'print the least rights of migrator, worker and consumer as SQL, and change nothing',
    },
    run: async (options) => (await import('./migrate.ts')).migrate(options),
  },
  {
    name: 'consume',
    meaning: 'record the events of the topics, each once',
    example: 'daymark consume --group ledger-writer --topics payments --handler ./effect.sql',
    flagsOf: ['grouping', 'consuming', 'serving'],
    run: async (options) => (await import('./consume.ts')).consume(options),
  },
  {
    name: 'maintain',
    meaning: 'look after the marker table',
    example: 'daymark maintain --topics payments,refunds --brokers kafka-1:9092,kafka-2:9092',
    flagsOf: ['removing', 'serving'],
    run: async (options) => (await import('./maintain.ts')).maintainTables(options),
  },
  {
    name: 'run',
    meaning: 'consume and maintain, in one process',
    example: 'daymark run --config /etc/daymark/payments.json',
    flagsOf: ['grouping', 'consuming', 'removing', 'serving'],
    run: async (options) => (await import('./run.ts')).run(options),
  },
  {
    name: 'plan',
    meaning: 'show what maintenance would do, and why',
    example: 'daymark plan --topics payments --exit-code',
    switches: { '--json': 'as JSON', '--exit-code': 'end with 3 where there is something to do' },
    flagsOf: ['removing'],
    run: async (options) => (await import('./plan.ts')).showPlans(options),
  },
  {
    name: 'apply',
    meaning: 'do now what maintenance would do',
    example: 'daymark apply --topics payments --keep-detached 24h',
    switches: { '--dry-run': 'show the plan, and do nothing', '--json': 'as JSON' },
    flagsOf: ['removing'],
    run: async (options) => (await import('./apply.ts')).apply(options),
  },
  {
    name: 'reattach',
    meaning: 'bring a day back that was removed and is still parked',
    example: 'daymark reattach 2026-08-01',
    args: '<day>',
    switches: {
      '--table <schema.table>': 'of this table; of the marker table by default',
      '--json': 'as JSON',
    },
    remarks: `Days are parked where --keep-detached, or maintenance.keepDetached, says for how long. They come back the newest
first, if their rows are there, nothing of the day was refused meanwhile, and the retention covers it now.`,
    run: async (options) => (await import('./reattach.ts')).reattach(options),
  },
  {
    name: 'adopt',
    meaning: 'take on a marker table from before daymark, while its consumers run',
    example: 'daymark adopt public.processed_events --plan',
    args: '<schema.table>',
    switches: {
      '--plan': 'show what would be done, and change nothing',
      '--yes': 'without asking',
      '--json': 'as JSON',
    },
    remarks: `From then on every batch asks the table too, so that what an old consumer has applied is not applied again. When its
last row is older than the retention, the worker drops it. A table with a key of (consumer_group, event_id) may go on
being written by old consumers; one with processed_at in its key refuses them from then on.`,
    run: async (options) => (await import('./adopt.ts')).adopt(options),
  },
  {
    name: 'status',
    meaning: 'show how the tables, the topics, the groups and the last runs stand',
    example: 'daymark status --topics payments --json',
    switches: { '--json': 'as JSON' },
    run: async (options) => (await import('./status.ts')).status(options),
  },
  {
    name: 'check',
    meaning: 'tell whether all is right for the next days, for cron and CI',
    example: 'daymark check --as consumer --topics payments',
    switches: {
      '--as <role>': "try what a consumer does as this role, instead of the connection's own",
      '--json': 'as JSON',
    },
    remarks: 'Ends with 3 where there is something to act on. Changes nothing.',
    run: async (options) => (await import('./check.ts')).check(options),
  },
  {
    name: 'verify',
    meaning: 'compare markers and effects day by day, and name the events that differ',
    example: `daymark verify --since '2 days' --effects \\
  "select event_id, (booked_at at time zone 'UTC')::date as day from ledger_entries"`,
    switches: {
      '--effects <query>': 'a SELECT that returns event_id of the effects, and their day where they know it',
      '--day <day>': 'this day alone',
      '--since <time>': "from this day on: a day, an instant, or '2 days'",
      '--limit <count>': 'name at most so many ids of each kind and day; 20 by default',
      '--json': 'as JSON',
    },
    remarks: 'day must be the UTC day that the event is marked in. Ends with 3 where there is a difference.',
    flagsOf: ['grouping'],
    run: async (options) => (await import('./verify.ts')).verify(options),
  },
  {
    name: 'explain',
    meaning: 'tell what became of an event: where it was first seen, and whether it was applied',
    example: 'daymark explain evt-42',
    args: '<event-id>',
    switches: {
      '--prefix': 'every event whose id begins so',
      '--limit <count>': 'at most so many events; 20 by default',
      '--json': 'as JSON',
    },
    remarks: 'A redelivery leaves no trace: what is shown is the first delivery, and what was set aside.',
    flagsOf: ['grouping'],
    run: async (options) => (await import('./explain.ts')).explain(options),
  },
  ...DEAD_LETTER_ENTRIES,
  ...PROGRESS_ENTRIES,
  {
    name: 'config print',
    meaning: 'show every setting, and where its value came from',
    example: 'daymark config print --json',
    switches: { '--json': 'as JSON' },
    flagsOf: ['grouping', 'consuming', 'removing', 'serving'],
    run: async (options) => (await import('./config.ts')).printConfiguration(options),
  },
  {
    name: 'config schema',
    meaning: 'print the JSON Schema of daymark.config.json',
    example: 'daymark config schema > daymark.schema.json',
    run: async () => (await import('./config.ts')).printConfigurationSchema(),
  },
  {
    name: 'version',
    meaning: 'print the version',
    example: 'daymark version',
    run: async () => (await import('./version.ts')).printVersion(),
  },
]

/** Commands of two words: the first, and what it is about. */
export const FAMILIES: Readonly<Record<string, string>> = {
  'dead-letters': 'look at the events that were set aside, and settle them',
  progress: 'look at where the groups are, and say what to do about what they cannot read',
  config: 'show the configuration',
}
