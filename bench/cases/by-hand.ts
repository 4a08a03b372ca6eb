import { addDays } from '../../src/calendar/period.ts'
import { partitionOf } from '../support/maintained-days.ts'
import type { MaintenanceCase } from './maintenance-case.ts'

/** What the runbook's last step shows: the partition made and dropped directly. */
export const byHand: MaintenanceCase = {
  name: 'by-hand',
  table: 'partitioned',
  async pass({ db, days: { next, old } }) {
    await db.query(
      `create table daymark.${partitionOf(next)} partition of daymark.processed_events
         for values from ('${next}') to ('${addDays(next, 1)}')`,
    )
    await db.query(`drop table daymark.${partitionOf(old)}`)
    return 1
  },
}
