import type { Database } from '../postgres/database.ts'
import { jobSchemaOf } from '../postgres/database-settings.ts'
import { RefusedError } from './refused-error.ts'
import { findJobSchema } from './sql/find-job-schema.ts'

/** Refuses a database that has daymark's tables and no pg-boss: runs could neither be scheduled nor requested. */
export async function assertJobSchema(database: Database): Promise<void> {
  const schema = jobSchemaOf(database.schema)
  if (await findJobSchema(database, schema)) return
  throw new RefusedError(
    `looking for pg-boss's tables at ${database.address}: schema '${schema}' has none. Run \`daymark migrate\` first.`,
  )
}
