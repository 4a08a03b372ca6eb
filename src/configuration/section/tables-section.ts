import { z } from 'zod'
import { optionalSetting, setting } from '../setting.ts'
import { parseTableName } from '../table-name.ts'
import { maintenanceShape } from './maintenance-section.ts'

const tableName = z.string().transform((text, context) => {
  const name = parseTableName(text)
  if (name !== null) return name
  context.addIssue({ code: 'custom', message: 'not such a name' })
  return z.NEVER
})

/** What stands behind a table that has no name yet, so that its absence is a complaint like any other. */
const NO_NAME = ''

/** One further table. What it does not say is as for any table, not as for the marker table. */
const table = z
  .strictObject({
    table: setting(tableName, NO_NAME, {
      shape: `'schema.table', each name of at most 63 bytes and in double quotes where it has a dot`,
      meaning: 'The table, its letters as the catalogue has them.',
      kind: 'text',
    }),
    topics: setting(z.array(z.string().min(1)), [], {
      shape: 'the topics that feed it, at least one where the retention comes from them',
      meaning: 'The topics that feed the table.',
      kind: 'list',
    }),
    unpartitioned: optionalSetting(z.strictObject({ by: z.string().min(1) }), {
      shape: `{ "by": "processed_at" }, with the column that says when a row was written`,
      meaning: 'The table has no partitions: its old rows are deleted, some thousands at a time.',
      kind: 'text',
    }),
    ...maintenanceShape,
  })
  .refine(({ retention, topics }) => retention !== 'from-topics' || topics.length > 0, {
    path: ['topics'],
    message: 'no topics to take the retention from',
  })

/** The settings of one table, by name. */
export const tableShape: Readonly<Record<string, z.ZodType>> = table.shape

/** Further tables that are looked after like the marker table. A list of objects has its place in the file only. */
export const tablesSection = setting(z.array(table), [], {
  shape: 'a list of tables such as { "table": "public.events", "retention": "8 days" }',
  meaning:
    'Further tables that are partitioned by day, or pruned by time. Each takes `table`, `topics`, `unpartitioned`, and the settings of `maintenance`.',
  kind: 'list',
  fileOnly: true,
})

export type ParsedTable = z.output<typeof table>
