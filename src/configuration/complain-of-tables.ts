import { tableOf } from '../maintenance/policy.ts'
import { jobSchemaOf } from '../postgres/database-settings.ts'
import type { ParsedSettings } from './schema.ts'

/** pg-boss's own choice of a schema, which another program in the same database may have left to it. */
const USUAL_JOB_SCHEMA = 'pgboss'

/** Complains of tables that are named twice, or are none of ours to look after. */
export function complainOfTables({ tables, database }: ParsedSettings, fileName: string): string[] {
  const jobSchemas = [jobSchemaOf(database.schema), USUAL_JOB_SCHEMA]
  const seen = new Set([tableOf({ schema: database.schema, table: 'processed_events' })])
  return tables.flatMap(({ table: name }, index) => {
    const item = `tables[${index}].table`
    const text = tableOf(name)
    if (jobSchemas.includes(name.schema))
      return [
        `expected ${item} to be none of pg-boss's, which cares for its own, got '${text}' (from ${fileName})`,
      ]
    if (['pg_catalog', 'information_schema'].includes(name.schema))
      return [`expected ${item} to be a table of yours, got '${text}' (from ${fileName})`]
    if (seen.has(text))
      return [
        `expected ${item} to be named once, got '${text}' again (from ${fileName}): the marker table's settings are those of maintenance`,
      ]
    seen.add(text)
    return []
  })
}
