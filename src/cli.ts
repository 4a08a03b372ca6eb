#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { DEAD_LETTER_ENTRIES } from './commands/dead-letter-entries.ts'
import type { Entry, EntryOptions } from './commands/entry.ts'
import { PROGRESS_ENTRIES } from './commands/progress-entries.ts'
import { readVersion } from './commands/version.ts'
import { FLAGS } from './configuration/flags.ts'

/** Each command is imported when it is called, so that `--help` answers at once. */
const ENTRIES: readonly Entry[] = [
  {
    name: 'demo',
    meaning: 'start PostgreSQL and Kafka on this machine, and consume a sample stream of payments',
    flagsOf: ['serving'],
    run: async (options) => (await import('./commands/demo.ts')).demo(options),
  },
  {
    name: 'migrate',
    meaning: "bring daymark's tables and pg-boss's schema up to date",
    switches: {
      '--print-sql': 'print the SQL of the tables, and change nothing',
      '--print-grants': 'print the least rights of migrator, worker and consumer as SQL, and change nothing',
    },
    run: async (options) => (await import('./commands/migrate.ts')).migrate(options),
  },
  {
    name: 'consume',
    meaning: 'record the events of the topics, each once',
    flagsOf: ['grouping', 'consuming', 'serving'],
    run: async (options) => (await import('./commands/consume.ts')).consume(options),
  },
  {
    name: 'maintain',
    meaning: 'look after the marker table',
    flagsOf: ['removing', 'serving'],
    run: async (options) => (await import('./commands/maintain.ts')).maintainTables(options),
  },
  {
    name: 'run',
    meaning: 'consume and maintain, in one process',
    flagsOf: ['grouping', 'consuming', 'removing', 'serving'],
    run: async (options) => (await import('./commands/run.ts')).run(options),
  },
  {
    name: 'plan',
    meaning: 'show what maintenance would do, and why',
    switches: { '--json': 'as JSON', '--exit-code': 'end with 3 where there is something to do' },
    flagsOf: ['removing'],
    run: async (options) => (await import('./commands/plan.ts')).showPlans(options),
  },
  {
    name: 'apply',
    meaning: 'do now what maintenance would do',
    switches: { '--dry-run': 'show the plan, and do nothing', '--json': 'as JSON' },
    flagsOf: ['removing'],
    run: async (options) => (await import('./commands/apply.ts')).apply(options),
  },
  {
    name: 'reattach',
    meaning: 'bring a day back that was removed and is still parked',
    args: '<day>',
    switches: {
      '--table <schema.table>': 'of this table; of the marker table by default',
      '--json': 'as JSON',
    },
    remarks: `Days are parked where --keep-detached, or maintenance.keepDetached, says for how long. They come back the newest
first, if their rows are there, nothing of the day was refused meanwhile, and the retention covers it now.
For example: daymark reattach 2026-08-01`,
    run: async (options) => (await import('./commands/reattach.ts')).reattach(options),
  },
  {
    name: 'status',
    meaning: 'show how the tables, the topics, the groups and the last runs stand',
    switches: { '--json': 'as JSON' },
    run: async (options) => (await import('./commands/status.ts')).status(options),
  },
  {
    name: 'check',
    meaning: 'tell whether all is right for the next days, for cron and CI',
    switches: {
      '--as <role>': "try what a consumer does as this role, instead of the connection's own",
      '--json': 'as JSON',
    },
    remarks: 'Ends with 3 where there is something to act on. Changes nothing.',
    run: async (options) => (await import('./commands/check.ts')).check(options),
  },
  {
    name: 'verify',
    meaning: 'compare markers and effects day by day, and name the events that differ',
    switches: {
      '--effects <query>': 'a SELECT that returns event_id of the effects, and their day where they know it',
      '--day <day>': 'this day alone',
      '--since <time>': "from this day on: a day, an instant, or '2 days'",
      '--limit <count>': 'name at most so many ids of each kind and day; 20 by default',
      '--json': 'as JSON',
    },
    remarks: `For example: daymark verify --effects
  "select event_id, (booked_at at time zone 'UTC')::date as day from ledger_entries"
day must be the UTC day that the event is marked in. Ends with 3 where there is a difference.`,
    flagsOf: ['grouping'],
    run: async (options) => (await import('./commands/verify.ts')).verify(options),
  },
  {
    name: 'explain',
    meaning: 'tell what became of an event: where it was first seen, and whether it was applied',
    args: '<event-id>',
    switches: {
      '--prefix': 'every event whose id begins so',
      '--limit <count>': 'at most so many events; 20 by default',
      '--json': 'as JSON',
    },
    remarks: 'A redelivery leaves no trace: what is shown is the first delivery, and what was set aside.',
    flagsOf: ['grouping'],
    run: async (options) => (await import('./commands/explain.ts')).explain(options),
  },
  ...DEAD_LETTER_ENTRIES,
  ...PROGRESS_ENTRIES,
  {
    name: 'config print',
    meaning: 'show every setting, and where its value came from',
    switches: { '--json': 'as JSON' },
    flagsOf: ['grouping', 'consuming', 'removing', 'serving'],
    run: async (options) => (await import('./commands/config.ts')).printConfiguration(options),
  },
  {
    name: 'config schema',
    meaning: 'print the JSON Schema of daymark.config.json',
    run: async () => (await import('./commands/config.ts')).printConfigurationSchema(),
  },
  {
    name: 'version',
    meaning: 'print the version',
    run: async () => (await import('./commands/version.ts')).printVersion(),
  },
]

/** Commands of two words: the first, and what it is about. */
const FAMILIES: Readonly<Record<string, string>> = {
  'dead-letters': 'look at the events that were set aside, and settle them',
  progress: 'look at where the groups are, and say what to do about what they cannot read',
  config: 'show the configuration',
}

/** Runs the command that the arguments name, and returns its exit code: 0 fine, 1 failed, 2 wrong usage, 3 attention. */
async function runCommandLine(argv: readonly string[]): Promise<number> {
  let exitCode = 0
  const program = new Command('daymark')
    .description(
      'A Kafka-to-PostgreSQL idempotent consumer, and the worker that keeps its day-partitioned marker table.',
    )
    .version(readVersion())
    .exitOverride()
  const families = new Map<string, Command>()
  for (const entry of ENTRIES) {
    const [first = '', second] = entry.name.split(' ')
    const command = second === undefined ? program.command(first) : familyOf(first).command(second)
    describeCommand(command.exitOverride(), entry).action(async () => {
      exitCode = await entry.run(optionsOf(command.opts(), command.args))
    })
  }
  function familyOf(name: string): Command {
    const family =
      families.get(name) ??
      program
        .command(name)
        .description(FAMILIES[name] ?? '')
        .exitOverride()
    families.set(name, family)
    return family
  }

  try {
    await program.parseAsync(argv)
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { failureOf } = await import('./commands/failure.ts')
    const failure = failureOf(error)
    process.stderr.write(`daymark: ${failure.sentence}\n`)
    return failure.exitCode
  }
}

function describeCommand(command: Command, entry: Entry): Command {
  command.description(entry.meaning)
  if (entry.args !== undefined) command.arguments(entry.args)
  if (entry.remarks !== undefined) command.addHelpText('after', `\n${entry.remarks}`)
  for (const [name, meaning] of Object.entries(entry.switches ?? {})) command.option(name, meaning)
  command.option('--config <file>', 'the configuration, instead of daymark.config.json')
  for (const { flags, of, meaning } of FLAGS) {
    if (of === 'every' || entry.flagsOf?.includes(of)) command.option(flags, meaning)
  }
  return command
}

function optionsOf(given: Readonly<Record<string, unknown>>, args: readonly string[]): EntryOptions {
  const isGiven = (name: string): boolean => given[name] === true
  const texts = Object.entries(given).filter(([, value]) => typeof value === 'string')
  const flags: Record<string, string> = {}
  for (const { flags: text, path } of FLAGS) {
    const value = given[attributeOf(text)]
    if (typeof value === 'string') flags[path] = value
  }
  return {
    configFile: typeof given.config === 'string' ? given.config : undefined,
    flags,
    json: isGiven('json'),
    dryRun: isGiven('dryRun'),
    exitCode: isGiven('exitCode'),
    printSql: isGiven('printSql'),
    printGrants: isGiven('printGrants'),
    all: isGiven('all'),
    yes: isGiven('yes'),
    mayHaveBeenApplied: isGiven('mayHaveBeenApplied'),
    prefix: isGiven('prefix'),
    args,
    given: Object.fromEntries(texts),
  }
}

/** `--http-port <port>` is `httpPort` to commander. */
function attributeOf(flag: string): string {
  return flag.replace(/^--| .*$/g, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

// A reader that has seen enough, such as `head`, ends the command without a complaint.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const exitCode = await runCommandLine(process.argv)
// Everything of ours is closed by now; a handler's own timers and connections must not keep the process.
process.stdout.write('', () => process.exit(exitCode))
