import type { CommandOptions } from './command-options.ts'
import { runUntilStopped } from './run-until-stopped.ts'

/** Consumes until it is stopped. */
export async function consume(options: CommandOptions): Promise<number> {
  return runUntilStopped(options, { consumes: true, maintains: false })
}
