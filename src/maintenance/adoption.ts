import { identifier, literal, qualified } from '../postgres/identifier.ts'
import type { ElderForm } from './elder.ts'
import type { AdoptableFacts } from './sql/find-adoptable.ts'
import type { PartmanConfig } from './sql/find-partman-config.ts'
import type { Step } from './step.ts'

type Name = { readonly schema: string; readonly table: string }

/** What is to be done about a table that somebody has: adopt it, look after it as one of `tables`, or nothing yet. */
export type Adoption =
  | { readonly kind: 'adopt'; readonly step: Step; readonly notes: readonly string[] }
  /** A table by day is looked after as it is. */
  | { readonly kind: 'maintain'; readonly column: string; readonly notes: readonly string[] }
  | { readonly kind: 'refuse'; readonly reasons: readonly string[] }

const TEXT = ['text', 'character varying', 'character']
const WHOLE = ['integer', 'bigint', 'smallint', 'numeric']
const TIME = ['timestamp with time zone']
const DAYS = ['date', 'timestamp without time zone', 'timestamp with time zone']
/** What a batch asks of an elder; of a keyed one also what it writes into it. */
const ASKED = { consumer_group: TEXT, event_id: TEXT, processed_at: TIME }
const WRITTEN = { ...ASKED, topic: TEXT, partition: WHOLE, offset: WHOLE }

/** Decides from what the catalogue says. `markers` is daymark's own table. Pure: `--plan` shows what is done. */
export function judgeAdoption(
  markers: Name,
  name: Name,
  facts: AdoptableFacts | null,
  partman: { readonly schema: string; readonly config: PartmanConfig | null } | null,
): Adoption {
  const called = `${name.schema}.${name.table}`
  if (facts === null)
    return refuse(`there is no table ${called}: name the one that your consumers write into`)
  if (name.schema === markers.schema) return refuse(`${called} is in daymark's own schema`)
  if (!facts.isPlainTable && !facts.isPartitioned)
    return refuse(`${called} is no table of its own: name the table that your consumers write into`)
  if (facts.isAdopted) return refuse(`${called} has been adopted already: \`daymark plan\` says when it goes`)
  const form = formOf(facts)
  if (form === null) return asOneOfTables(called, facts, name, partman)
  const reasons = [
    ...wrongColumns(called, facts, form),
    ...missingRights(called, facts),
    ...missingIndex(name, facts, form),
  ]
  if (reasons.length > 0) return { kind: 'refuse', reasons }
  return {
    kind: 'adopt',
    step: adoptElder(markers, name, facts, form),
    notes: [
      `switch off whatever deletes from ${called} or drops days of it: daymark keeps it until nothing of it can come again`,
      ...partmanNotes(name, partman),
      form === 'keyed'
        ? `old consumers may run on beside daymark's, in the same group: whoever comes second meets the key`
        : `old consumers are refused from then on: stop them, and start daymark's in the same group`,
    ],
  }
}

function refuse(reason: string): Adoption {
  return { kind: 'refuse', reasons: [reason] }
}

/** By its key: that of the runbook's first step, or the one that is partitioned by the moment of processing. */
function formOf({
  isPlainTable,
  isPartitioned,
  partitionedBy,
  uniqueKeys,
}: AdoptableFacts): ElderForm | null {
  const keys = uniqueKeys.map((key) => key.join())
  if (isPlainTable && keys.includes('consumer_group,event_id')) return 'keyed'
  const isByMoment =
    partitionedBy.join() === 'processed_at' && keys.includes('consumer_group,event_id,processed_at')
  return isPartitioned && isByMoment ? 'partitioned' : null
}

function asOneOfTables(
  called: string,
  facts: AdoptableFacts,
  name: Name,
  partman: Parameters<typeof judgeAdoption>[3],
): Adoption {
  const [column = '', ...more] = facts.partitionedBy
  const type = facts.columns.find((each) => each.name === column)?.type ?? ''
  if (facts.isPartitioned && more.length === 0 && DAYS.includes(type)) {
    return { kind: 'maintain', column, notes: partmanNotes(name, partman) }
  }
  const found = facts.uniqueKeys.map((key) => `(${key.join(', ')})`).join(' and ') || 'none'
  return refuse(
    `${called} has no key that can be asked: expected a unique key of (consumer_group, event_id), or partitions by range of ` +
      `processed_at with a key of (consumer_group, event_id, processed_at); its unique keys: ${found}`,
  )
}

function partmanNotes({ schema, table }: Name, partman: Parameters<typeof judgeAdoption>[3]): string[] {
  if (partman === null || partman.config === null) return []
  const { partitionInterval, retention, premake } = partman.config
  return [
    `pg_partman looks after it (every ${partitionInterval}, ${premake} ahead, retention ${retention ?? 'none'}). Take it out: ` +
      `delete from ${qualified(partman.schema, 'part_config')} where parent_table = ${literal(`${schema}.${table}`)}`,
  ]
}

function wrongColumns(called: string, { columns }: AdoptableFacts, form: ElderForm): string[] {
  const expected: Readonly<Record<string, readonly string[]>> = form === 'keyed' ? WRITTEN : ASKED
  const wrong = Object.entries(expected).flatMap(([name, types]) => {
    const type = columns.find((column) => column.name === name)?.type
    if (type === undefined) return [`${called} has no column ${name}: every batch would write it`]
    if (types.includes(type)) return []
    return [`column ${name} of ${called} is of type ${type}: expected ${types.join(' or ')}`]
  })
  const strange = columns.filter(({ name, isDemanded }) => isDemanded && !(name in expected))
  if (form === 'partitioned') return wrong
  return [
    ...wrong,
    ...strange.map(
      ({ name }) =>
        `column ${name} of ${called} must be given a value, which daymark does not know: give it a default`,
    ),
  ]
}

function missingRights(called: string, { mayActAsOwner, owner, role }: AdoptableFacts): string[] {
  if (mayActAsOwner) return []
  return [
    `role ${role} may not act as the owner of ${called}, as dropping it takes: \`grant ${identifier(owner)} to ${identifier(role)}\``,
  ]
}

function missingIndex({ schema, table }: Name, { hasTimeIndex }: AdoptableFacts, form: ElderForm): string[] {
  if (hasTimeIndex || form === 'partitioned') return []
  const target = qualified(schema, table)
  return [
    `${schema}.${table} has no index that begins with processed_at, so that its youngest row could only be found by ` +
      `reading all: \`create index concurrently on ${target} (processed_at)\``,
  ]
}

function adoptElder(markers: Name, { schema, table }: Name, facts: AdoptableFacts, form: ElderForm): Step {
  const target = qualified(schema, table)
  const rights = form === 'keyed' ? 'select, insert' : 'select'
  const guard = qualified(markers.schema, 'refuse_old_writer')
  return {
    kind: 'adopt-elder',
    run: 'remove',
    partition: null,
    fromDay: null,
    untilDay: null,
    oid: facts.oid,
    schema,
    name: table,
    form,
    reason:
      form === 'keyed'
        ? `adopt ${schema}.${table}: every batch asks it too, and writes into it, until its last row is older than the retention`
        : `adopt ${schema}.${table}: old writers are refused, and every batch asks it too, until its last row is older than the retention`,
    sql: [
      ...facts.consumerRoles.map((role) => `grant ${rights} on ${target} to ${identifier(role)}`),
      ...(form === 'keyed'
        ? []
        : [
            `create or replace trigger daymark_refuses_old_writers before insert on ${target} ` +
              `for each row execute function ${guard}()`,
          ]),
      `insert into ${qualified(markers.schema, 'elders')} (table_oid, schema_name, table_name, form) ` +
        `values (${facts.oid}, ${literal(schema)}, ${literal(table)}, ${literal(form)})`,
    ],
    lock:
      form === 'keyed'
        ? 'none that anybody waits for'
        : `share row exclusive on ${schema}.${table} and its partitions, for at most 2 s a try: writers wait for it, and are refused then`,
  }
}
