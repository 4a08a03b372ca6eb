import { z } from 'zod'
import { consumerSection } from './section/consumer-section.ts'
import { databaseSection } from './section/database-section.ts'
import { httpSection } from './section/http-section.ts'
import { kafkaSection } from './section/kafka-section.ts'
import { logSection } from './section/log-section.ts'
import { maintenanceSection } from './section/maintenance-section.ts'
import { tablesSection } from './section/tables-section.ts'
import { settingFacts } from './setting.ts'

/** Every setting there is, in the shape of the file. Trusted once parsed: durations are milliseconds then. */
export const configurationSchema = z.strictObject({
  $schema: z.string().optional(),
  database: databaseSection,
  kafka: kafkaSection,
  consumer: consumerSection,
  maintenance: maintenanceSection,
  tables: tablesSection,
  http: httpSection,
  log: logSection,
})

export type ParsedSettings = z.output<typeof configurationSchema>

/** The JSON Schema of `daymark.config.json`, for editors: without the secrets, which have no place in a file. */
export function configurationJsonSchema(): object {
  return z.toJSONSchema(configurationSchema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (!(zodSchema instanceof z.ZodObject)) return
      for (const [name, member] of Object.entries(zodSchema.shape)) {
        if (settingFacts.get(member as z.ZodType)?.secret) delete jsonSchema.properties?.[name]
      }
    },
  })
}
