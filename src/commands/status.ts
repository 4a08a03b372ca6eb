import { listDeadLettersByReason } from '../http/sql/list-dead-letters-by-reason.ts'
import type { CommandOptions } from './command-options.ts'
import { listGroupStandings } from './group-standing.ts'
import { openCommandLog } from './open-command-log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { printJson, printMessage, printText } from './print.ts'
import { readConfiguration } from './read-configuration.ts'
import { findLastSuccess } from './sql/find-last-success.ts'
import { listLastSteps } from './sql/list-last-steps.ts'
import { type Status, statusText } from './status-text.ts'
import { readTableStanding } from './table-standing.ts'

const SHOWN_STEPS = 20

/** Shows how the tables, the topics, the groups, the dead letters and the last steps of maintenance stand. */
export async function status(options: CommandOptions & { readonly json: boolean }): Promise<number> {
  const { configuration } = readConfiguration(options, [])
  const log = openCommandLog(configuration.log.level)
  await using database = await openMigratedDatabase(configuration.database, log)
  const tables: Status['tables'][number][] = []
  for (const policy of configuration.policies) {
    const standing = await readTableStanding(database, policy)
    tables.push({ ...standing, ...(await findLastSuccess(database, policy.schema, policy.table)) })
  }
  const { groups, complaint } = await listGroupStandings(database, configuration.kafka, log)
  const deadLetters = await listDeadLettersByReason(database)
  const found = { tables, groups, deadLetters, lastSteps: await listLastSteps(database, SHOWN_STEPS) }
  if (options.json) printJson(found)
  else printText(statusText(found, Date.now()))
  if (complaint !== null) printMessage(complaint)
  return 0
}
