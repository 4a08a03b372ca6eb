import { availableParallelism } from 'node:os'
import { batchedDelete } from './cases/batched-delete.ts'
import { byHand } from './cases/by-hand.ts'
import { daymarkMaintenance } from './cases/daymark-maintenance.ts'
import type { MaintenanceCase } from './cases/maintenance-case.ts'
import { pgPartman } from './cases/pg-partman.ts'
import { plainDelete } from './cases/plain-delete.ts'
import { describeServer } from './support/bench-database.ts'
import { makeBenchDirectory } from './support/bench-servers.ts'
import { cloneDatabase, filledDatabases, type MarkerTable } from './support/filled-database.ts'
import { startMaintenancePostgres } from './support/maintenance-postgres.ts'
import { type MaintenanceRow, maintenanceTable } from './support/maintenance-table.ts'
import { type Conditions, measureMaintenance, measureUndisturbed } from './support/measure-maintenance.ts'
import { memoryDirectory } from './support/memory-directory.ts'
import { figuresJson, runBench, say } from './support/run-bench.ts'

/**
 * A new day taken in and an old day taken out, in several ways, in turn, on one PostgreSQL, while four connections
 * insert all the time: how long does an insert wait?
 */

const ROWS = 5_000_000
const SMALLER_ROWS = [10, 100_000]
/** The filled databases, a clone of one, and the log of what is written. */
const NEEDED_BYTES = 8 * 2 ** 30

const CASES: readonly MaintenanceCase[] = [daymarkMaintenance, pgPartman, byHand, batchedDelete, plainDelete]
/** Those whose time depends on how much is removed, and daymark, whose inserts must not notice. */
const SIZED_CASES: readonly MaintenanceCase[] = [daymarkMaintenance, batchedDelete, plainDelete]

await runBench(async ({ signal, isJson, data }) => {
  const parent = data ?? memoryDirectory(NEEDED_BYTES)
  using directory = makeBenchDirectory(parent)
  await using postgres = await startMaintenancePostgres(directory.path, signal)
  if (!postgres.hasPartman) {
    say('pg_partman is left out: Debian packages postgresql-15 and postgresql-15-partman are not installed')
  }
  const chosen = CASES.filter((each) => each !== pgPartman || postgres.hasPartman)
  const fill = filledDatabases(postgres)
  const undisturbed = await withClone('partitioned', SMALLER_ROWS[0] ?? 0, (url) =>
    measureUndisturbed(url, 'partitioned'),
  )
  const cases: MaintenanceRow[] = []
  for (const reader of [false, true]) {
    for (const each of chosen) cases.push(await measure(each, { reader, rows: ROWS }))
  }
  const sizes: MaintenanceRow[] = []
  for (const rows of SMALLER_ROWS) {
    for (const each of SIZED_CASES) sizes.push(await measure(each, { reader: false, rows }))
  }
  if (isJson) return figuresJson({ cases: cases.map(caseOf), undisturbed, sizes: sizes.map(sizeOf) })
  const server = await describeServer(postgres.urlOf('postgres'))
  return `${maintenanceTable(undisturbed, [...cases, ...sizes])}\n\n${server}, ${availableParallelism()} cores, data beneath ${parent}`

  async function measure(given: MaintenanceCase, conditions: Conditions): Promise<MaintenanceRow> {
    const { reader, rows } = conditions
    say(`running ${given.name} on a day of ${rows} rows${reader ? ' with a reader' : ''}`)
    const figures = await withClone(given.table, rows, (url) => measureMaintenance(url, given, conditions))
    return { name: given.name, ...conditions, ...figures }
  }

  async function withClone<Figures>(
    table: MarkerTable,
    rows: number,
    use: (url: string) => Promise<Figures>,
  ): Promise<Figures> {
    signal.throwIfAborted()
    await using clone = await cloneDatabase(postgres, await fill(table, rows))
    return await use(clone.url)
  }
})

function caseOf({ name, reader, longestInsertWaitMs, p99InsertMs, wallMs }: MaintenanceRow) {
  return { name, reader, longestInsertWaitMs, p99InsertMs, wallMs }
}

function sizeOf({ name, rows, longestInsertWaitMs, p99InsertMs, wallMs }: MaintenanceRow) {
  return { name, rows, longestInsertWaitMs, p99InsertMs, wallMs }
}
