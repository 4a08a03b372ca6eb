import { startOfDay } from '../calendar/period.ts'
import { SQLSTATE, sqlstateOf } from '../postgres/sqlstate.ts'
import { dropDetached } from './drop-detached.ts'
import type { Outcome } from './outcome.ts'
import { tableOf } from './policy.ts'
import { fenceDay } from './sql/fence-day.ts'
import { findRelation } from './sql/find-relation.ts'
import type { StepOf } from './step.ts'
import { StepError } from './step-error.ts'
import type { StepWait } from './step-wait.ts'
import { watchWait } from './watch-wait.ts'
import { openWorkSession, partitionsNow, type Work } from './work.ts'

/**
 * Removes a day: the fence, then the detach, then the drop, unless it is to be parked. Whatever interrupts it between two of them, the next run
 * finds from the catalogue and from `partitions_to_drop` how far it came.
 */
export async function removeDay(work: Work, step: StepOf<'remove-day'>, wait: StepWait): Promise<Outcome> {
  await assertAsPlanned(work, step)
  await fenceDay(work.session, work.policy.schema, work.policy.table, step)
  await detach(work, step, wait)
  // Its note stands in `partitions_to_drop` until then; a later run drops it.
  if (step.keepUntilMs !== null) return 'done'
  // The detach may have waited for hours.
  await work.assertLocked()
  return dropDetached(work, step, wait)
}

async function assertAsPlanned(work: Work, step: StepOf<'remove-day'>): Promise<void> {
  const doing = `dropping ${step.fromDay} of ${tableOf(work.policy)}`
  const partitions = await partitionsNow(work)
  const pending = partitions.find(({ isPending }) => isPending)
  if (pending !== undefined) {
    throw new StepError(
      'waiting',
      `${doing}: the detach of ${pending.name} has to be finished first. The next run tries again`,
    )
  }
  const standing = partitions.find(({ oid }) => oid === step.oid)
  if (
    standing?.schema !== step.schema ||
    standing.name !== step.name ||
    standing.fromMs !== startOfDay(step.fromDay) ||
    standing.untilMs !== startOfDay(step.untilDay)
  ) {
    throw new StepError(
      'contended',
      `${doing}: ${step.name} is not the partition that was planned for. The next run looks again`,
    )
  }
}

/**
 * Alone in its query, on a session of its own, and without a timeout: its wait holds nothing and stops nobody, while an
 * end of that wait by force is what leaves a detach pending. Only a shutdown cancels it.
 */
async function detach(work: Work, step: StepOf<'remove-day'>, wait: StepWait): Promise<void> {
  await using session = await openWorkSession(work.direct)
  try {
    await watchWait(work, session.pid, () => session.query(step.detach), wait.add)
  } catch (error) {
    if (!(await isDetached(work, step, error))) throw error
  }
}

/** Somebody else was faster: it is no partition any more, or has even gone. */
async function isDetached(work: Work, step: StepOf<'remove-day'>, error: unknown): Promise<boolean> {
  const sqlstate = sqlstateOf(error)
  if (sqlstate !== SQLSTATE.undefinedTable && sqlstate !== SQLSTATE.objectNotInPrerequisiteState) return false
  const relation = await findRelation(work.session, step.oid)
  return relation === null || relation.parentOid === null
}
