import { listDeadLettersByReason } from '../../http/sql/list-dead-letters-by-reason.ts'
import type { Queryable } from '../../postgres/queryable.ts'
import { listProgress } from '../sql/list-progress.ts'
import { attention, type Finding, fine } from './finding.ts'

/** What became of events that were not simply applied: lost ones, and those that were set aside. */
export async function checkEvents(db: Queryable): Promise<Finding[]> {
  const lost = (await listProgress(db)).filter(({ lostRecords }) => lostRecords !== '0')
  const waiting = await listDeadLettersByReason(db)
  return [
    ...(lost.length === 0 ? [fine('lost-records', 'every group', 'no record was lost')] : []),
    ...lost.map(({ group, topic, partition, lostRecords }) =>
      attention(
        'lost-records',
        group,
        `${lostRecords} of ${topic}[${partition}] were deleted by the broker before they were read`,
        'compare with the producer; see docs/operations.md',
      ),
    ),
    ...(waiting.length === 0 ? [fine('dead-letters', 'every group', 'none waits')] : []),
    ...waiting.map(({ group, reason, waiting: count }) =>
      attention(
        'dead-letters',
        group,
        count === 1 ? `1 waits, set aside as ${reason}` : `${count} wait, set aside as ${reason}`,
        'look at them with `daymark dead-letters list`, then replay or discard them',
      ),
    ),
  ]
}
