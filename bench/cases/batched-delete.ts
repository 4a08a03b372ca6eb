import { setTimeout as delay } from 'node:timers/promises'
import { RETENTION_DAYS } from '../support/maintained-days.ts'
import type { MaintenanceCase } from './maintenance-case.ts'

/** All of five million rows would take two minutes or more; what is left then would go as what has gone. */
const LONGEST_MS = 12_000

/** The runbook's fourth step, word for word: batches of 10,000, 200 ms apart, until there is nothing left. */
export const batchedDelete: MaintenanceCase = {
  name: 'batched-delete',
  table: 'unpartitioned',
  async pass({ db }, rows) {
    const endsAt = performance.now() + LONGEST_MS
    let deleted = 0
    while (performance.now() < endsAt) {
      const { rowCount } = await db.query(
        `delete from public.processed_events
          where ctid in (
            select ctid from public.processed_events
             where processed_at < now() - interval '${RETENTION_DAYS} days'
             limit 10000
          )`,
      )
      if (rowCount === 0) return 1
      deleted += rowCount ?? 0
      await delay(200)
    }
    return deleted / rows
  },
}
