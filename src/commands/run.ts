import type { CommandOptions } from './command-options.ts'
import { runUntilStopped } from './run-until-stopped.ts'

/** Consumes and maintains in one process until it is stopped. */
export async function run(options: CommandOptions): Promise<number> {
  return runUntilStopped(options, { consumes: true, maintains: true })
}
