import { relative } from 'node:path'
import { type PrintedSetting, printedSettings } from '../configuration/printed-settings.ts'
import { configurationJsonSchema } from '../configuration/schema.ts'
import { CONFIG_FILE } from '../configuration/source.ts'
import { alignedText } from './aligned-text.ts'
import type { CommandOptions } from './command-options.ts'
import { printJson, printText } from './print.ts'
import { readConfiguration } from './read-configuration.ts'

/** Prints every setting with its value and where that came from; secrets masked. */
export async function printConfiguration(
  options: CommandOptions & { readonly json: boolean },
): Promise<number> {
  const loaded = readConfiguration(options, [])
  const settings = printedSettings(loaded, relative(process.cwd(), options.configFile ?? CONFIG_FILE))
  if (options.json) printJson({ settings })
  else printText(settingsText(settings))
  return 0
}

/** Prints the JSON Schema of the file, for editors. */
export async function printConfigurationSchema(): Promise<number> {
  printText(JSON.stringify(configurationJsonSchema(), null, 2))
  return 0
}

function settingsText(settings: readonly PrintedSetting[]): string {
  return alignedText(settings.map(({ path, value, from }) => [path, valueText(value), from]))
}

function valueText(value: unknown): string {
  if (value === null) return '-'
  return Array.isArray(value) ? value.join(',') : String(value)
}
