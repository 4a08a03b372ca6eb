import type { Configuration } from '../configuration/configuration.ts'
import { openMaintenanceSession, PooledConnectionError } from '../maintenance/open-maintenance-session.ts'
import { type Database, openDatabase } from '../postgres/database.ts'
import type { DatabaseSettings } from '../postgres/database-settings.ts'
import type { Log } from '../process/log.ts'
import { alignedText } from './aligned-text.ts'
import { checkConsumerRole } from './check/check-consumer-role.ts'
import { checkEvents } from './check/check-events.ts'
import { checkMigration } from './check/check-migration.ts'
import { checkTable } from './check/check-table.ts'
import { attention, type Finding, fine } from './check/finding.ts'
import type { EntryOptions } from './entry.ts'
import { openCommandLog } from './open-command-log.ts'
import { printJson, printText } from './print.ts'
import { readConfiguration } from './read-configuration.ts'

/** The exit code of a command that found something to look after. */
const ATTENTION = 3

/**
 * Looks at everything that has to be right for the next days, for cron and CI: ends with 0, or with 3 and a sentence for
 * each thing to act on. Changes nothing; what it inserts to try is rolled back.
 */
export async function check(options: EntryOptions): Promise<number> {
  const { configuration } = readConfiguration(options, ['replay-horizon'])
  const log = openCommandLog(configuration.log.level)
  const findings = await checkAll(configuration, options.given.as ?? null, log)
  const ok = findings.every((finding) => finding.ok)
  if (options.json) printJson({ ok, findings })
  else printText(textOf(findings))
  return ok ? 0 : ATTENTION
}

async function checkAll(configuration: Configuration, as: string | null, log: Log): Promise<Finding[]> {
  const { maintenanceDatabase, policies } = configuration
  await using database = openQuietly(maintenanceDatabase, log)
  const migration = await checkMigration(database, maintenanceDatabase)
  if (!migration.ok) return [migration]
  return [
    migration,
    ...(await checkTables(configuration, log)),
    // The first policy is the marker table's.
    ...(await checkConsumerRoles(configuration, policies.slice(0, 1), as, log)),
    ...(await checkEvents(database)),
  ]
}

async function checkTables(configuration: Configuration, log: Log): Promise<Finding[]> {
  const { maintenanceDatabase, kafka, policies } = configuration
  try {
    await using session = await openMaintenanceSession(maintenanceDatabase)
    const findings = [fine('connection', 'maintenance', 'no pooler stands in between')]
    for (const policy of policies) findings.push(...(await checkTable(session, { kafka, log }, policy)))
    return findings
  } catch (error) {
    if (!(error instanceof PooledConnectionError)) throw error
    return [
      attention(
        'connection',
        'maintenance',
        error.message,
        'until then the tables are not looked at, and not maintained',
      ),
    ]
  }
}

async function checkConsumerRoles(
  { database: consumer, maintenanceDatabase }: Configuration,
  policies: Configuration['policies'],
  as: string | null,
  log: Log,
): Promise<Finding[]> {
  await using database = openQuietly(as === null ? consumer : maintenanceDatabase, log)
  const findings: Finding[] = []
  for (const policy of policies) findings.push(...(await checkConsumerRole(database, policy, as)))
  return findings
}

function openQuietly(settings: DatabaseSettings, log: Log): Database {
  return openDatabase({ ...settings, applicationName: 'daymark:check' }, (error) =>
    log.debug({ err: error }, 'an idle connection to the database broke'),
  )
}

function textOf(findings: readonly Finding[]): string {
  const rows = findings.flatMap(({ ok, check: name, subject, found, advice }) => [
    [ok ? 'ok' : 'ATTENTION', name, `${subject}: ${found}`],
    ...(advice === null ? [] : [['', '', `-> ${advice}`]]),
  ])
  return alignedText(rows)
}
