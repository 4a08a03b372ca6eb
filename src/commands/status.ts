import type { CommandOptions } from './command-options.ts'
import { openCommandLog } from './open-command-log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { printJson, printMessage, printText } from './print.ts'
import { readConfiguration } from './read-configuration.ts'
import { readStatus } from './read-status.ts'
import { statusText } from './status-text.ts'

/** Shows how the tables, the topics, the groups, the dead letters and the last steps of maintenance stand. */
export async function status(options: CommandOptions & { readonly json: boolean }): Promise<number> {
  const { configuration } = readConfiguration(options, [])
  const log = openCommandLog(configuration.log.level)
  await using database = await openMigratedDatabase(configuration.database, log)
  const found = await readStatus({ db: database, configuration, log })
  if (options.json) printJson(found)
  else printText(statusText(found, Date.now()))
  for (const complaint of found.complaints) printMessage(complaint)
  return 0
}
