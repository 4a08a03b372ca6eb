#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import type { CommandOptions } from './commands/command-options.ts'
import { readVersion } from './commands/version.ts'
import { FLAGS, type Flag } from './configuration/flags.ts'

/** What the command line gives a command; each reads what it has named. */
type Options = CommandOptions & Readonly<Record<'json' | 'dryRun' | 'exitCode' | 'printSql', boolean>>

type Entry = {
  readonly name: string
  readonly meaning: string
  /** The switches of its own, with what they do. */
  readonly switches?: Readonly<Record<string, string>>
  /** Which flags of the configuration it has, beside those of every command. */
  readonly flagsOf?: readonly Flag['of'][]
  readonly run: (options: Options) => Promise<number>
}

/** Each command is imported when it is called, so that `--help` answers at once. */
const ENTRIES: readonly Entry[] = [
  {
    name: 'demo',
    meaning: 'start PostgreSQL and Kafka on this machine, and consume a sample stream of payments',
    run: async (options) => (await import('./commands/demo.ts')).demo(options),
  },
  {
    name: 'migrate',
    meaning: "bring daymark's tables and pg-boss's schema up to date",
    switches: { '--print-sql': 'print the SQL of the tables, and change nothing' },
    run: async (options) => (await import('./commands/migrate.ts')).migrate(options),
  },
  {
    name: 'consume',
    meaning: 'record the events of the topics, each once',
    flagsOf: ['consuming', 'serving'],
    run: async (options) => (await import('./commands/consume.ts')).consume(options),
  },
  {
    name: 'maintain',
    meaning: 'look after the marker table',
    flagsOf: ['serving'],
    run: async (options) => (await import('./commands/maintain.ts')).maintainTables(options),
  },
  {
    name: 'run',
    meaning: 'consume and maintain, in one process',
    flagsOf: ['consuming', 'serving'],
    run: async (options) => (await import('./commands/run.ts')).run(options),
  },
  {
    name: 'plan',
    meaning: 'show what maintenance would do, and why',
    switches: { '--json': 'as JSON', '--exit-code': 'end with 3 where there is something to do' },
    run: async (options) => (await import('./commands/plan.ts')).showPlans(options),
  },
  {
    name: 'apply',
    meaning: 'do now what maintenance would do',
    switches: { '--dry-run': 'show the plan, and do nothing', '--json': 'as JSON' },
    run: async (options) => (await import('./commands/apply.ts')).apply(options),
  },
  {
    name: 'status',
    meaning: 'show how the tables, the topics, the groups and the last runs stand',
    switches: { '--json': 'as JSON' },
    run: async (options) => (await import('./commands/status.ts')).status(options),
  },
  {
    name: 'config print',
    meaning: 'show every setting, and where its value came from',
    switches: { '--json': 'as JSON' },
    flagsOf: ['consuming', 'serving'],
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

/** Runs the command that the arguments name, and returns its exit code: 0 fine, 1 failed, 2 wrong usage, 3 attention. */
async function runCommandLine(argv: readonly string[]): Promise<number> {
  let exitCode = 0
  const program = new Command('daymark')
    .description(
      'A Kafka-to-PostgreSQL idempotent consumer, and the worker that keeps its day-partitioned marker table.',
    )
    .version(readVersion())
    .exitOverride()
  const config = program.command('config').description('show the configuration').exitOverride()
  for (const entry of ENTRIES) {
    const [first = '', second] = entry.name.split(' ')
    const command = second === undefined ? program.command(first) : config.command(second)
    describeCommand(command.exitOverride(), entry).action(async (given: Record<string, unknown>) => {
      exitCode = await entry.run(optionsOf(given))
    })
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
  for (const [name, meaning] of Object.entries(entry.switches ?? {})) command.option(name, meaning)
  command.option('--config <file>', 'the configuration, instead of daymark.config.json')
  for (const { flags, of, meaning } of FLAGS) {
    if (of === 'every' || entry.flagsOf?.includes(of)) command.option(flags, meaning)
  }
  return command
}

function optionsOf(given: Readonly<Record<string, unknown>>): Options {
  const isGiven = (name: string): boolean => given[name] === true
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
