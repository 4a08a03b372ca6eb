import { addDays, type Day } from '../calendar/period.ts'
import { identifier, literal, qualified } from '../postgres/identifier.ts'
import type { ColumnTuning, Grant, RowPolicy, TableFacts } from './sql/find-table.ts'

type Name = { readonly schema: string; readonly name: string }

/**
 * The statements that make a day: a table like the parent, all that `like` does not bring, and its attachment.
 *
 * Built apart and then attached, because `create table … partition of` waits for every transaction that has touched
 * the parent, with all writers queueing behind it; ATTACH asks for a lock that stops neither. Identity columns are left
 * out: from PostgreSQL 17 on a table with one cannot be attached, and inserts through the parent get their numbers all
 * the same. The table is empty and nobody else can see it yet, so that a check of its bounds would spare no scan.
 * Owner first, so that grants are the owner's.
 */
export function makePartition(parent: Name, partition: Name, day: Day, facts: TableFacts): string[] {
  const table = qualified(partition.schema, partition.name)
  return [
    `create table ${table} (like ${qualified(parent.schema, parent.name)} including all excluding identity)`,
    ...(facts.owner === facts.role ? [] : [`alter table ${table} owner to ${identifier(facts.owner)}`]),
    ...facts.grants.map((grant) => grantText(table, grant)),
    ...storageParameters(table, facts),
    ...facts.columnTunings.flatMap((tuning) => tuningTexts(table, tuning)),
    ...(facts.comment === null ? [] : [`comment on table ${table} is ${literal(facts.comment)}`]),
    ...replicaIdentity(table, facts),
    ...facts.rowPolicies.map((policy) => policyText(table, policy)),
    ...(facts.hasRowSecurity ? [`alter table ${table} enable row level security`] : []),
    ...(facts.forcesRowSecurity ? [`alter table ${table} force row level security`] : []),
    attachPartition(parent, partition, day, facts.keyType ?? 'date'),
    ...replicaIndex(table, facts),
  ]
}

/** Attaches a table for a day. */
export function attachPartition(parent: Name, partition: Name, day: Day, keyType: string): string {
  return (
    `alter table ${qualified(parent.schema, parent.name)} attach partition ` +
    `${qualified(partition.schema, partition.name)} for values from (${boundary(day, keyType)}) to (${boundary(addDays(day, 1), keyType)})`
  )
}

export function detachPartition(parent: Name, partition: Name, how: 'concurrently' | 'finalize'): string {
  return (
    `alter table ${qualified(parent.schema, parent.name)} detach partition ` +
    `${qualified(partition.schema, partition.name)} ${how}`
  )
}

export function dropTable(table: Name): string {
  return `drop table ${qualified(table.schema, table.name)}`
}

/** The start of a day in the type of the key: a date-only text would be read in the session's time zone. */
export function boundary(day: Day, keyType: string): string {
  if (keyType === 'timestamp with time zone') return literal(`${day} 00:00:00+00`)
  if (keyType === 'timestamp without time zone') return literal(`${day} 00:00:00`)
  return literal(day)
}

function grantText(table: string, grant: Grant): string {
  const column = grant.column === null ? '' : ` (${identifier(grant.column)})`
  const privileges = grant.privileges.map((privilege) => `${privilege}${column}`).join(', ')
  const option = grant.isGrantable ? ' with grant option' : ''
  return `grant ${privileges} on ${table} to ${roleText(grant.grantee)}${option}`
}

function storageParameters(table: string, { storageParameters: parameters }: TableFacts): string[] {
  return parameters.length === 0
    ? []
    : [`alter table ${table} set (${parameters.map(parameterText).join(', ')})`]
}

/** What `like` does not bring of a column. */
function tuningTexts(table: string, { column, statisticsTarget, options }: ColumnTuning): string[] {
  const alter = `alter table ${table} alter column ${identifier(column)} set`
  return [
    ...(statisticsTarget === null ? [] : [`${alter} statistics ${statisticsTarget}`]),
    ...(options.length === 0 ? [] : [`${alter} (${options.map(parameterText).join(', ')})`]),
  ]
}

/** From `name=value`, as the catalogue has it; a name may begin with `toast.`. */
function parameterText(parameter: string): string {
  const at = parameter.indexOf('=')
  const name = parameter.slice(0, at).split('.').map(identifier).join('.')
  return `${name} = ${literal(parameter.slice(at + 1))}`
}

function replicaIdentity(table: string, { replicaIdentity: kind }: TableFacts): string[] {
  if (kind === 'f') return [`alter table ${table} replica identity full`]
  if (kind === 'n') return [`alter table ${table} replica identity nothing`]
  return []
}

/**
 * An identity by an index needs the name of its copy, which the server chose; it is known as a child of the parent's
 * index, so after the attachment.
 */
function replicaIndex(table: string, { replicaIndex: index }: TableFacts): string[] {
  if (index === null) return []
  const body =
    `begin execute (select format('alter table %s replica identity using index %I', x.indrelid::regclass, c.relname) ` +
    'from pg_index x join pg_class c on c.oid = x.indexrelid join pg_inherits i on i.inhrelid = c.oid ' +
    `where x.indrelid = ${literal(table)}::regclass and i.inhparent = ${literal(index)}::regclass); end`
  return [`do ${literal(body)}`]
}

const COMMANDS: Readonly<Record<string, string>> = {
  r: 'select',
  a: 'insert',
  w: 'update',
  d: 'delete',
  '*': 'all',
}

function policyText(table: string, policy: RowPolicy): string {
  return (
    `create policy ${identifier(policy.name)} on ${table}` +
    ` as ${policy.isPermissive ? 'permissive' : 'restrictive'}` +
    ` for ${COMMANDS[policy.command] ?? 'all'}` +
    ` to ${policy.roles.map(roleText).join(', ')}` +
    (policy.using === null ? '' : ` using (${policy.using})`) +
    (policy.check === null ? '' : ` with check (${policy.check})`)
  )
}

function roleText(role: string | null): string {
  return role === null ? 'public' : identifier(role)
}
