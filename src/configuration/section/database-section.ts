import { z } from 'zod'
import { DEFAULT_SCHEMA } from '../../postgres/database-settings.ts'
import { optionalSetting, setting } from '../setting.ts'

const connectionString = z.string().regex(/^postgres(ql)?:\/\//)

/** Where the tables are. */
export const databaseSection = z
  .strictObject({
    url: optionalSetting(connectionString, {
      shape: "a connection string such as 'postgres://user:password@host:5432/database'",
      meaning: 'The database. Without it the PG* variables and .pgpass count, as for psql.',
      kind: 'text',
      variables: ['DATABASE_URL'],
      secret: true,
    }),
    maintenanceUrl: optionalSetting(connectionString, {
      shape: "a connection string such as 'postgres://user:password@host:5432/database'",
      meaning:
        'The database without a connection pooler between, for maintenance and migrations. Without it, the database.',
      kind: 'text',
      variables: ['MAINTENANCE_DATABASE_URL'],
      secret: true,
    }),
    schema: setting(
      // pg-boss's own schema is named after it, and pg-boss takes a name of at most 50 bytes, unquoted.
      z.string().regex(/^[a-z_][a-z0-9_]{0,42}$/),
      DEFAULT_SCHEMA,
      {
        shape: 'a name of 1 to 43 lower-case letters, digits and underscores',
        meaning: "The schema of daymark's own tables.",
        kind: 'text',
      },
    ),
  })
  .prefault({})
