import { jobSchemaOf } from '../postgres/database-settings.ts'
import { identifier, qualified } from '../postgres/identifier.ts'
import { consumerGrants } from './consumer-grants.ts'

/**
 * The three roles and their rights as a script for psql. The first part needs who may make roles, the second the owner of
 * the tables. Nobody needs rights on the database: the schemas are made here and belong to the migrator.
 */
export function grantsScript(schema: string): string {
  const schemas = [schema, jobSchemaOf(schema)].map(identifier)
  return `-- 1. Before the first \`daymark migrate\`, as a superuser. Then give each a password: \\password daymark_migrator
create role daymark_migrator login;
create role daymark_worker login;
create role daymark_consumer login;
${schemas.map((name) => `create schema ${name} authorization daymark_migrator;`).join('\n')}
-- To attach, detach and drop a partition takes ownership of its table; so the worker acts as the owner.
grant daymark_migrator to daymark_worker;

-- 2. After each \`daymark migrate\`, as daymark_migrator.
${schemas.map((name) => `grant usage on schema ${name} to daymark_consumer;`).join('\n')}
${grantsTo('daymark_consumer', schema).join('\n')}
-- And what the handler writes, which daymark does not know:
-- grant insert on ledger_entries to daymark_consumer;
`
}

function grantsTo(role: string, schema: string): string[] {
  return consumerGrants(schema).map(
    (grant) =>
      `grant ${grant.privileges.join(', ')} on ${qualified(grant.schema, grant.table)} to ${identifier(role)};`,
  )
}
