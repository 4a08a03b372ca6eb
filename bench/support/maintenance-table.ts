import type { InsertWaits } from './insert-waits.ts'
import type { MaintenanceFigures } from './measure-maintenance.ts'
import { numbersTable } from './numbers-table.ts'

export type MaintenanceRow = MaintenanceFigures & {
  readonly name: string
  readonly reader: boolean
  readonly rows: number
}

/** The figures for people, each longest wait beside its ratio to that of daymark under the same conditions. */
export function maintenanceTable(undisturbed: InsertWaits, cases: readonly MaintenanceRow[]): string {
  return numbersTable(
    ['case', 'reader', 'rows', 'longest insert ms', 'ratio', 'p99 insert ms', 'pass ms', 'inserts'],
    [
      ['(nothing)', '', '', ...waitCells(undisturbed, ''), '', String(undisturbed.inserts)],
      ...cases.map((row) => [
        row.name,
        row.reader ? '4 s' : '',
        String(row.rows),
        ...waitCells(row, ratioOf(row, cases)),
        `${row.isPartial ? '~' : ''}${row.wallMs.toFixed(0)}`,
        String(row.inserts),
      ]),
    ],
  )
}

function waitCells({ longestInsertWaitMs, p99InsertMs }: InsertWaits, ratio: string): string[] {
  return [longestInsertWaitMs.toFixed(1), ratio, p99InsertMs.toFixed(1)]
}

function ratioOf(row: MaintenanceRow, cases: readonly MaintenanceRow[]): string {
  const daymark = cases.find(
    ({ name, reader, rows }) => name === 'daymark' && reader === row.reader && rows === row.rows,
  )
  if (daymark === undefined) return ''
  return `${(row.longestInsertWaitMs / daymark.longestInsertWaitMs).toFixed(1)}x`
}
