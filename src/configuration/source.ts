import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from './config-error.ts'

/** The usual name of the file, read where it stands in the working directory. */
export const CONFIG_FILE = 'daymark.config.json'

/** Where values come from: nothing in the configuration asks the process itself. */
export type Source = {
  /** Texts of flags, by the path of the setting. */
  readonly flags: Readonly<Record<string, string>>
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly file: ConfigFile | null
  /** What relative paths of flags and variables start from. */
  readonly directory: string
}

export type ConfigFile = { readonly path: string; readonly content: unknown }

/** Reads the file; null where none was asked for and the usual one is absent. */
export function readConfigFile(directory: string, asked: string | undefined): ConfigFile | null {
  const path = resolve(directory, asked ?? CONFIG_FILE)
  const name = asked ?? CONFIG_FILE
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (asked === undefined && code === 'ENOENT') return null
    throw new ConfigError([`expected ${name} to be a file that can be read, got ${code ?? String(error)}`])
  }
  try {
    return { path, content: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    throw new ConfigError([
      `expected ${name} to be JSON: ${error instanceof Error ? error.message : String(error)}`,
    ])
  }
}
