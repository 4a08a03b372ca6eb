import { migrateJobs } from '../maintenance/scheduler.ts'
import { addressOf } from '../postgres/database.ts'
import { type DatabaseSettings, jobSchemaOf } from '../postgres/database-settings.ts'
import { type DirectSession, openDirectSession } from '../postgres/direct-session.ts'
import { migrateSchema } from '../postgres/migrate.ts'
import type { CommandOptions } from './command-options.ts'
import { databaseRefusal } from './database-refusal.ts'
import { grantsScript } from './grants-script.ts'
import { migrationScript } from './migration-script.ts'
import { printMessage, printText } from './print.ts'
import { readConfiguration } from './read-configuration.ts'
import { findJobSchema } from './sql/find-job-schema.ts'
import { lockMigrations } from './sql/lock-migrations.ts'

/**
 * Brings daymark's tables and pg-boss's schema up to date. Two at once: one waits, then finds nothing to do. With
 * `--print-sql` or `--print-grants` it changes nothing, and prints what a database administrator may run.
 */
export async function migrate(
  options: CommandOptions & { readonly printSql?: boolean; readonly printGrants?: boolean },
): Promise<number> {
  const { configuration } = readConfiguration(options, [])
  const settings = { ...configuration.maintenanceDatabase, applicationName: 'daymark:migrate' }
  if (options.printSql) {
    printText(migrationScript(settings.schema))
    return 0
  }
  if (options.printGrants) {
    printText(grantsScript(settings.schema))
    return 0
  }
  await using session = await openSession(settings)
  await lockMigrations(session)
  const hadJobs = await findJobSchema(session, jobSchemaOf(settings.schema))
  const migrations = await migrateSchema(settings)
  await migrateJobs(settings)

  for (const name of migrations) printMessage(`ran ${name}`)
  if (!hadJobs) printMessage(`made schema ${jobSchemaOf(settings.schema)} for pg-boss`)
  if (migrations.length === 0 && hadJobs) {
    printMessage(`schema ${settings.schema} at ${addressOf(settings.url)} is up to date: nothing to do`)
  }
  return 0
}

async function openSession(settings: DatabaseSettings): Promise<DirectSession> {
  try {
    return await openDirectSession(settings)
  } catch (error) {
    const variables = 'MAINTENANCE_DATABASE_URL, DATABASE_URL or the PG* variables'
    throw databaseRefusal(addressOf(settings.url), variables, error)
  }
}
