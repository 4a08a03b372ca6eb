import { RETENTION_DAYS } from '../support/maintained-days.ts'
import type { MaintenanceCase } from './maintenance-case.ts'

/** The delete that the runbook warns of: all in one statement. */
export const plainDelete: MaintenanceCase = {
  name: 'plain-delete',
  table: 'unpartitioned',
  async pass({ db }) {
    await db.query(
      `delete from public.processed_events where processed_at < now() - interval '${RETENTION_DAYS} days'`,
    )
    return 1
  },
}
