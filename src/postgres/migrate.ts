import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import type { DatabaseSettings } from './database-settings.ts'
import { schemaExists } from './schema-exists.ts'

const DIRECTORY = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings daymark's schema up to date and returns the names of the migrations that this took. Forward only, each in a
 * transaction. Two at once: one waits for the other's advisory lock and then finds nothing to do.
 */
export async function migrateSchema(settings: DatabaseSettings): Promise<string[]> {
  const isMissing = !(await schemaExists(settings, settings.schema))
  const done = await runner({
    databaseUrl: settings.url === undefined ? {} : { connectionString: settings.url },
    dir: DIRECTORY,
    direction: 'up',
    schema: settings.schema,
    createSchema: isMissing,
    migrationsSchema: settings.schema,
    createMigrationsSchema: isMissing,
    migrationsTable: 'migrations',
    advisoryLockMode: 'wait',
    checkOrder: true,
    log: () => undefined,
  })
  return done.map((migration) => migration.name)
}
