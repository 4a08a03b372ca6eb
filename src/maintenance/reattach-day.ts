import { attachPatience } from './attach-patience.ts'
import { lockDetached } from './lock-detached.ts'
import type { Outcome } from './outcome.ts'
import { countRefusedEvents } from './sql/count-refused-events.ts'
import { countRows } from './sql/count-rows.ts'
import { deletePartitionToDrop } from './sql/delete-partition-to-drop.ts'
import { moveFenceBack } from './sql/move-fence-back.ts'
import type { StepOf } from './step.ts'
import { StepError } from './step-error.ts'
import type { StepWait } from './step-wait.ts'
import { tryInTransaction } from './try-step.ts'
import type { Work } from './work.ts'

/**
 * Attaches a parked day again, and moves the fence back behind it, in one transaction. The detach has left a check of
 * the day's bounds on the table, by which ATTACH is spared a scan.
 */
export async function reattachDay(
  work: Work,
  step: StepOf<'reattach-day'>,
  wait: StepWait,
): Promise<Outcome> {
  return tryInTransaction(work, wait, attachPatience(work), async (session): Promise<Outcome> => {
    const doing = `bringing ${step.day} back`
    if (!(await moveFenceBack(session, work.policy.schema, work.policy.table, step.day))) {
      throw new StepError(
        'contended',
        `${doing}: the fence has moved meanwhile. Look at the plan, and try again`,
      )
    }
    await lockDetached(session, work, step, 'attaching')
    if ((await countRows(session, step.schema, step.name, 1)) === 0) {
      // Emptied, or restored without its rows: then its events would all be taken for new.
      throw new StepError('refused', `${doing}: ${step.schema}.${step.name} holds no row. It is left alone`)
    }
    const refused = await countRefusedEvents(session, work.facts?.oid ?? '0', step.day)
    if (refused > 0) {
      throw new StepError(
        'refused',
        `${doing}: ${refused} of its events were refused as expired meanwhile, and may have been applied without a ` +
          'marker. See `daymark dead-letters list --reason expired`; it is left alone',
      )
    }
    await deletePartitionToDrop(session, step.oid)
    await session.query(step.attach)
    return 'done'
  })
}
