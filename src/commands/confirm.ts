import { createInterface } from 'node:readline/promises'
import { printMessage } from './print.ts'
import { UsageError } from './usage-error.ts'

/**
 * Asks a person before something that cannot be taken back. `--yes` answers beforehand; without a terminal there is
 * nobody to ask, and that is an error. Resolves to whether to go on.
 */
export async function confirm(what: string, yes: boolean): Promise<boolean> {
  if (yes) return true
  if (!process.stdin.isTTY) {
    throw new UsageError(`${what}: nobody can be asked here whether that is meant; say so with --yes`)
  }
  printMessage(`${what}. Type "yes" to go on:`)
  const lines = createInterface({ input: process.stdin })
  try {
    return (await lines.question('')).trim().toLowerCase() === 'yes'
  } finally {
    lines.close()
  }
}
