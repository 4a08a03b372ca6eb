import { readFileSync } from 'node:fs'
import { printText } from './print.ts'

/** The version of this program, from its package.json. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Prints it. */
export async function printVersion(): Promise<number> {
  printText(readVersion())
  return 0
}
