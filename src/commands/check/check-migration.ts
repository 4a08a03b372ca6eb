import { openRunRequests } from '../../maintenance/run-request.ts'
import { JobSchemaError } from '../../maintenance/scheduler.ts'
import { addressOf, type Database } from '../../postgres/database.ts'
import type { DatabaseSettings } from '../../postgres/database-settings.ts'
import { databaseRefusal } from '../database-refusal.ts'
import { findMigratedSchema } from '../sql/find-migrated-schema.ts'
import { attention, type Finding, fine } from './finding.ts'

/** Whether both schemas are there, and of this version. Rejects where the database does not even answer. */
export async function checkMigration(database: Database, settings: DatabaseSettings): Promise<Finding> {
  const { schema } = settings
  const advice = 'run `daymark migrate`'
  try {
    if (!(await findMigratedSchema(database)))
      return attention('migration', schema, "daymark's tables are missing, or of an earlier version", advice)
  } catch (error) {
    const variables = 'MAINTENANCE_DATABASE_URL, DATABASE_URL or the PG* variables'
    throw databaseRefusal(addressOf(settings.url), variables, error)
  }
  try {
    await using _ = await openRunRequests(settings)
    return fine('migration', schema, 'the tables are of this version')
  } catch (error) {
    if (error instanceof JobSchemaError) return attention('migration', schema, error.message, advice)
    return attention('migration', schema, `the job queue could not be looked at: ${messageOf(error)}`, advice)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
