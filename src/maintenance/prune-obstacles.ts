import { identifier, qualified } from '../postgres/identifier.ts'
import { durationText } from './duration-text.ts'
import { clockObstacles, DAY_KEY_TYPES, MAX_AWAY_MS } from './obstacles.ts'
import { type Policy, tableOf } from './policy.ts'
import type { TableView } from './table-view.ts'

/** What a person must change before rows of a table without partitions are deleted; nothing, where all is well. */
export function obstaclesToPruning(policy: Policy, by: string, view: TableView): string[] {
  const name = tableOf(policy)
  const { table, rows } = view
  if (table === null)
    return [`table ${name} does not exist: correct its name, or leave it out of the configuration`]
  if (table.isPartitioned)
    return [
      `table ${name} is partitioned: leave \`unpartitioned\` out, and its days are dropped instead of rows deleted`,
    ]
  const column = rows?.column ?? null
  if (column === null)
    return [`table ${name} has no column ${by}: name the one that says when a row was written`]
  if (!column.isPlainTable) return [`${name} is no table of rows: only such can be pruned`]
  if (!DAY_KEY_TYPES.includes(column.type))
    return [
      `column ${by} of table ${name} is of type ${column.type}: expected date, timestamp or timestamptz`,
    ]
  const target = qualified(policy.schema, policy.table)
  return [
    ...(column.mayDelete
      ? []
      : [
          `role ${table.role} may not read and delete rows of ${name}: ` +
            `\`grant select, delete on ${target} to ${identifier(table.role)}\``,
        ]),
    ...(column.hasIndex
      ? []
      : [
          `table ${name} has no index that begins with ${by}, so that each batch would read all of it: ` +
            `\`create index concurrently on ${target} (${identifier(by)})\``,
        ]),
    ...(table.referencedBy.length === 0
      ? []
      : [
          `table ${name} is referenced by ${table.referencedBy.join(', ')}: each row that goes would be searched for ` +
            'there. Drop the foreign key',
        ]),
    ...clockObstacles(view),
    ...absence(name, view),
  ]
}

/** By a wrong clock every row is old. Where no broker is asked, this is what is left to notice it by. */
function absence(name: string, { nowMs, rows }: TableView): string[] {
  const latestMs = rows?.latestMs ?? null
  if (latestMs === null || nowMs - latestMs <= MAX_AWAY_MS) return []
  return [
    `by the database's clock the latest row of ${name} is ${durationText(nowMs - latestMs)} old: set the clock right, or ` +
      'delete by hand what nobody writes to any more',
  ]
}
