import type { DatabaseSettings } from './database-settings.ts'
import { openDirectSession } from './direct-session.ts'

/**
 * Whether the database has a schema of that name. `create schema if not exists` asks for the right to create one also where
 * it is there already; so a migrator without rights on the database must not be made to say it.
 */
export async function schemaExists(settings: DatabaseSettings, schema: string): Promise<boolean> {
  await using session = await openDirectSession(settings)
  const { rows } = await session.query('select from pg_namespace where nspname = $1::text', [schema])
  return rows.length === 1
}
