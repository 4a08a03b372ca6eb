import { relative } from 'node:path'
import type { LoadedConfiguration } from '../configuration/load-configuration.ts'
import { printedSettings } from '../configuration/printed-settings.ts'
import { CONFIG_FILE } from '../configuration/source.ts'
import type { Rates } from '../http/open-rates.ts'
import type { PageSource } from '../http/page-source.ts'
import { silentObserver } from '../maintenance/maintenance-observer.ts'
import type { Log } from '../process/log.ts'
import type { CommandOptions } from './command-options.ts'
import { planTables } from './plan-tables.ts'
import { readStatus } from './read-status.ts'
import type { Running } from './running.ts'
import { rememberRanges } from './topic-ranges.ts'

/** What the page of a long-running command shows. `readRates` is null in a process that does not consume. */
export function openPageSource(
  options: CommandOptions,
  loaded: LoadedConfiguration,
  running: Running,
  readRates: (() => Rates) | null,
  log: Log,
): PageSource {
  const { configuration } = loaded
  const { maintenanceDatabase: direct, kafka, policies } = configuration
  const readRanges = rememberRanges()
  return {
    readState() {
      if (running.database === null) throw new Error('not connected to the database yet')
      return readStatus({ db: running.database, configuration, log, readRanges })
    },
    async readPlans() {
      const { plans } = await planTables({ direct, kafka, log, observer: silentObserver }, policies)
      return { plans }
    },
    async readSettings() {
      const fileName = relative(process.cwd(), options.configFile ?? CONFIG_FILE)
      return { settings: printedSettings(loaded, fileName) }
    },
    async readRates() {
      return { rates: readRates === null ? null : readRates() }
    },
  }
}
