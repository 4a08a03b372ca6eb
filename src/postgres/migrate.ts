import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import type { DatabaseSettings } from './database-settings.ts'

const DIRECTORY = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings daymark's schema up to date and returns the names of the migrations that this took. Forward only, each in a
 * transaction. Two at once: one waits for the other's advisory lock and then finds nothing to do.
 */
export async function migrateSchema(settings: DatabaseSettings): Promise<string[]> {
  const done = await runner({
    databaseUrl: settings.url === undefined ? {} : { connectionString: settings.url },
    dir: DIRECTORY,
    direction: 'up',
    schema: settings.schema,
    createSchema: true,
    migrationsSchema: settings.schema,
    createMigrationsSchema: true,
    migrationsTable: 'migrations',
    advisoryLockMode: 'wait',
    checkOrder: true,
    log: () => undefined,
  })
  return done.map((migration) => migration.name)
}
