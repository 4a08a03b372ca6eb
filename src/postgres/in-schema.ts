import { DEFAULT_SCHEMA } from './database-settings.ts'
import { identifier } from './identifier.ts'

/** Puts the configured schema in the place of `daymark.` in daymark's own statements; see {@link Queryable}. */
export function schemaWriter(schema: string): (text: string) => string {
  if (schema === DEFAULT_SCHEMA) return (text) => text
  const name = `${identifier(schema)}.`
  // A function, because a `$&` in a name would be read as a pattern.
  return (text) => text.replaceAll(/\bdaymark\./g, () => name)
}
