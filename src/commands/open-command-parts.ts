import { silentObserver } from '../maintenance/maintenance-observer.ts'
import type { MaintenanceParts } from '../maintenance/maintenance-parts.ts'
import type { Policy } from '../maintenance/policy.ts'
import type { CommandOptions } from './command-options.ts'
import { openCommandLog } from './open-command-log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { readConfiguration } from './read-configuration.ts'

/** What a command that ends by itself needs for maintenance, once the database has shown that it can be used. */
export async function openCommandParts(
  options: CommandOptions,
): Promise<{ readonly parts: MaintenanceParts; readonly policies: readonly Policy[] }> {
  const { configuration } = readConfiguration(options, ['replay-horizon'])
  const { maintenanceDatabase: direct, kafka, policies } = configuration
  const log = openCommandLog(configuration.log.level)
  await using database = await openMigratedDatabase(direct, log)
  log.debug({ database: database.address }, 'connected')
  return { parts: { direct, kafka, log, observer: silentObserver }, policies }
}
