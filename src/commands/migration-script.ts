import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { identifier, literal } from '../postgres/identifier.ts'

const DIRECTORY = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * The migrations as one script for psql, each in its transaction and written down where node-pg-migrate looks, so that
 * `daymark migrate` goes on from there. pg-boss's schema is not in it: that needs `daymark migrate`, or pg-boss's own
 * command.
 */
export function migrationScript(schema: string): string {
  const names = readdirSync(DIRECTORY)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return [opening(schema), ...names.map((name) => transactionOf(name))].join('\n')
}

function opening(schema: string): string {
  return `create schema if not exists ${identifier(schema)};
set search_path to ${identifier(schema)};
create table if not exists migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null);
`
}

function transactionOf(file: string): string {
  const name = file.replace(/\.sql$/, '')
  const text = readFileSync(`${DIRECTORY}/${file}`, 'utf8').trimEnd()
  return `begin;
${text}
insert into migrations (name, run_on) values (${literal(name)}, now());
commit;
`
}
