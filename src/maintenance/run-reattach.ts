import type { Day } from '../calendar/period.ts'
import type { MaintenanceParts } from './maintenance-parts.ts'
import { openMaintenanceSession } from './open-maintenance-session.ts'
import { planReattach } from './plan-reattach.ts'
import { type Policy, RUN_KINDS } from './policy.ts'
import type { RunReport } from './run.ts'
import { openRunJournal } from './run-journal.ts'
import { type RunLock, takeRunLock } from './run-lock.ts'
import { lookAtTable } from './table-plan.ts'
import { takeStep } from './take-step.ts'
import { workOf } from './work.ts'

/**
 * Brings a parked day back: a run of one step, asked for by a person. It holds the locks of both kinds, so that neither
 * makes the day anew nor goes on removing.
 */
export async function runReattach(
  parts: MaintenanceParts,
  policy: Policy,
  day: Day,
  signal: AbortSignal,
): Promise<RunReport> {
  const journal = openRunJournal(parts, policy, { kind: 'make', trigger: 'command', signal })
  await using session = await openMaintenanceSession(parts.direct)
  const held: (RunLock & { readonly isHeld: true })[] = []
  for (const kind of RUN_KINDS) {
    const lock = await takeRunLock(session, policy, kind)
    if (!lock.isHeld) return await journal.locked(session, lock.holder)
    held.push(lock)
  }
  const lock = {
    isHeld: true,
    async assertHeld(): Promise<void> {
      for (const each of held) await each.assertHeld()
    },
  } as const
  const { view, plan } = await lookAtTable(session, parts, policy)
  const work = workOf(parts, session, policy, view, lock, signal)
  for (const step of planReattach(policy, view, plan.retention, day)) {
    await journal.step(session, await takeStep(work, step))
  }
  return await journal.end(session)
}
