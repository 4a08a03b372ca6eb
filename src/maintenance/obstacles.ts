import { endOfDay } from '../calendar/period.ts'
import { identifier, qualified } from '../postgres/identifier.ts'
import { durationText } from './duration-text.ts'
import { type Policy, type RunKind, tableOf } from './policy.ts'
import type { TableFacts } from './sql/find-table.ts'
import { MOST_COUNTED, type TableView } from './table-view.ts'

/** What a day, or an instant, may be kept in. */
export const DAY_KEY_TYPES: readonly string[] = [
  'date',
  'timestamp without time zone',
  'timestamp with time zone',
]

/** A table whose latest day lies further back than this was not left alone for that long: the clock is wrong. */
export const MAX_AWAY_MS = 400 * 86_400_000

/** A clock that is further ahead of ours than this is not believed when days are to be dropped. */
const MAX_CLOCK_LEAD_MS = 2 * 86_400_000

/** What a person must change before a run of that kind can do anything; nothing, where all is well. */
export function obstaclesTo(kind: RunKind, policy: Policy, view: TableView): string[] {
  const name = tableOf(policy)
  const { table } = view
  if (table === null) return [`table ${name} does not exist: run \`daymark migrate\`, or correct its name`]
  const wrongForm = formOf(name, table)
  if (wrongForm !== null) return [wrongForm]
  const missing = missingRights(policy, table)
  const common = [...missing, ...absence(view)]
  return kind === 'make' ? common : [...common, ...obstaclesToRemoval(name, table, view)]
}

function formOf(name: string, table: TableFacts): string | null {
  if (!table.isPartitioned)
    return `table ${name} is not partitioned: partition it by range on a day or an instant`
  if (table.strategy !== 'r' || table.keyCount !== 1 || table.keyColumn === null) {
    return `table ${name} is not partitioned by range on one column: only such tables can be maintained`
  }
  if (!DAY_KEY_TYPES.includes(table.keyType ?? '')) {
    return `table ${name} is partitioned by ${table.keyColumn} of type ${table.keyType}: expected date, timestamp or timestamptz`
  }
  return null
}

/** What the role lacks to make and remove days, each with the grant to give. */
export function missingRights(policy: Policy, table: TableFacts): string[] {
  const role = identifier(table.role)
  return [
    ...(table.mayActAsOwner
      ? []
      : [
          `role ${table.role} is neither the owner of ${tableOf(policy)} nor a member of it: ` +
            `\`grant ${identifier(table.owner)} to ${role}\`, which attach, detach and drop need`,
        ]),
    ...(table.mayCreate
      ? []
      : [
          `role ${table.role} may not create tables in schema ${policy.schema}: ` +
            `\`grant create on schema ${identifier(policy.schema)} to ${role}\``,
        ]),
  ]
}

function obstaclesToRemoval(name: string, table: TableFacts, view: TableView): string[] {
  const standard = view.partitions.find((partition) => partition.isDefault)
  return [
    ...(standard === undefined
      ? []
      : [
          `table ${name} has a default partition, ${qualified(standard.schema, standard.name)}, with ${countText(view.defaultRows)}: ` +
            'PostgreSQL cannot detach concurrently from such a table, and the other way stops writers. ' +
            'Move its rows and detach it (docs/operations.md)',
        ]),
    ...(table.referencedBy.length === 0
      ? []
      : [
          `table ${name} is referenced by ${table.referencedBy.join(', ')}: removing a day would search and lock that ` +
            'table. Drop the foreign key',
        ]),
    ...(table.references.length === 0
      ? []
      : [
          `table ${name} has the foreign key ${table.references.join(', ')}: to detach a day would wait for ` +
            'the writers of the table it points to, and hold up all others of them meanwhile. Drop the foreign key',
        ]),
    ...clockObstacles(view),
  ]
}

function countText(rows: number | null): string {
  if (rows === null) return 'rows that could not be counted now'
  if (rows === 1) return '1 row'
  return rows < MOST_COUNTED ? `${rows} rows` : `${MOST_COUNTED} rows or more`
}

/** By a wrong clock every day is old. Where a broker is asked it has the last word; where none is, only this has. */
export function clockObstacles(view: TableView): string[] {
  if (view.clockLeadMs > MAX_CLOCK_LEAD_MS) {
    return [
      `the database's clock is ${durationText(view.clockLeadMs)} ahead of this machine's: no day is dropped by it. Set it right`,
    ]
  }
  return []
}

function absence(view: TableView): string[] {
  const fencedMs = view.fence === null ? Number.NEGATIVE_INFINITY : endOfDay(view.fence)
  const latestMs = Math.max(fencedMs, ...view.partitions.map(({ untilMs }) => untilMs))
  const awayMs = view.nowMs - latestMs
  if (latestMs === Number.NEGATIVE_INFINITY || awayMs <= MAX_AWAY_MS) return []
  return [
    `by the database's clock the latest day ended ${durationText(awayMs)} ago, and no worker is away for that long: ` +
      'set it right, or make the day of today by hand',
  ]
}
