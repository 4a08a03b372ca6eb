import type { Need } from '../configuration/configuration.ts'
import { type LoadedConfiguration, loadConfiguration } from '../configuration/load-configuration.ts'
import { readConfigFile } from '../configuration/source.ts'
import type { CommandOptions } from './command-options.ts'

/** The configuration of this process: its flags, its environment, and the file in its working directory. */
export function readConfiguration(options: CommandOptions, needs: readonly Need[]): LoadedConfiguration {
  const directory = process.cwd()
  const file = readConfigFile(directory, options.configFile)
  return loadConfiguration({ flags: options.flags, variables: process.env, file, directory }, needs)
}
