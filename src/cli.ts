#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { ENTRIES, FAMILIES } from './commands/entries.ts'
import type { Entry, EntryOptions } from './commands/entry.ts'
import { readVersion } from './commands/version.ts'
import { FLAGS } from './configuration/flags.ts'

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
  const remarks = entry.remarks === undefined ? '' : `\n${entry.remarks}\n`
  command.addHelpText('after', `${remarks}\nExample:\n  ${entry.example.replaceAll('\n', '\n  ')}`)
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
    plan: isGiven('plan'),
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
