import type { CommandOptions } from './command-options.ts'
import { runUntilStopped } from './run-until-stopped.ts'

/** Looks after the tables until it is stopped. */
export async function maintainTables(options: CommandOptions): Promise<number> {
  return runUntilStopped(options, { consumes: false, maintains: true })
}
