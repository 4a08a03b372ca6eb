import type { Queryable } from '../../src/postgres/queryable.ts'
import type { MarkerTable } from '../support/filled-database.ts'
import type { MaintainedDays } from '../support/maintained-days.ts'

export type MaintenanceCaseName = 'daymark' | 'pg_partman' | 'by-hand' | 'batched-delete' | 'plain-delete'

/** What a case works on: a connection of its own, and the address for those that open their own. */
export type MaintenanceTarget = {
  readonly url: string
  readonly db: Queryable
  readonly days: MaintainedDays
}

/** A way to take a new day in and an old day out. */
export type MaintenanceCase = {
  readonly name: MaintenanceCaseName
  readonly table: MarkerTable
  /** What is done once, before anything is measured. */
  readonly prepare?: (target: MaintenanceTarget) => Promise<void>
  /** One pass. Resolves to the share of the old day that it took out, where that is not all of it. */
  readonly pass: (target: MaintenanceTarget, rows: number) => Promise<number>
}
