import { addressOf, type Database, openDatabase } from '../postgres/database.ts'
import type { DatabaseSettings } from '../postgres/database-settings.ts'
import type { Log } from '../process/log.ts'
import { databaseRefusal } from './database-refusal.ts'
import { RefusedError } from './refused-error.ts'
import { findMigratedSchema } from './sql/find-migrated-schema.ts'

/**
 * Opens the pool of a command, and answers at once whether the database can be used: a refusal, and one that was never
 * migrated, are a sentence and exit code 2, not a stack.
 */
export async function openMigratedDatabase(settings: DatabaseSettings, log: Log): Promise<Database> {
  const database = openDatabase(settings, (error) => {
    log.warn({ err: error }, 'an idle connection to the database broke')
  })
  try {
    if (await findMigratedSchema(database)) return database
  } catch (error) {
    await database.end()
    throw databaseRefusal(addressOf(settings.url), 'DATABASE_URL or the PG* variables', error)
  }
  await database.end()
  throw new RefusedError(
    `looking for daymark's tables at ${database.address}: schema '${settings.schema}' has none. ` +
      'Run `daymark migrate` first.',
  )
}
