import type { DatabaseSettings } from '../../src/postgres/database-settings.ts'
import { DEFAULT_SCHEMA } from '../../src/postgres/database-settings.ts'

export function settingsOf(url: string, poolSize: number): DatabaseSettings {
  return { url, schema: DEFAULT_SCHEMA, poolSize, applicationName: 'daymark:bench' }
}
