import type { EntryOptions } from './entry.ts'
import { UsageError } from './usage-error.ts'

/** Refuses a command line that does not say which dead letters are meant, or says it twice. */
export function requireChoice({ args, all, given }: EntryOptions): void {
  const narrows = given.reason !== undefined || given.since !== undefined
  if (args.length === 0 && !all && !narrows) {
    throw new UsageError('expected the ids of dead letters, --all, --reason or --since, got none of them')
  }
  if (args.length > 0 && all) throw new UsageError('expected ids of dead letters or --all, got both')
}
