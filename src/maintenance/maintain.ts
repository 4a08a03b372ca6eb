import { evidenceFor } from './evidence-for.ts'
import { look } from './look.ts'
import type { MaintenanceParts } from './maintenance-parts.ts'
import { openMaintenanceSession } from './open-maintenance-session.ts'
import { plan } from './plan.ts'
import type { Policy } from './policy.ts'
import type { Run, RunReport } from './run.ts'
import { openRunJournal } from './run-journal.ts'
import { takeRunLock } from './run-lock.ts'
import { takeStep } from './take-step.ts'
import { workOf } from './work.ts'

/** A run that makes days looks again when it is through, so that what was asked for meanwhile is done too. */
const ROUNDS = { make: 3, remove: 1 } as const

/**
 * The work of maintenance: look at the table, work out the plan, take each step, write down what happened.
 * One run per table and kind at a time. Rejects only where it could not look; what a step met is in the report.
 */
export async function maintain(parts: MaintenanceParts, policy: Policy, run: Run): Promise<RunReport> {
  const journal = openRunJournal(parts, policy, run)
  await using session = await openMaintenanceSession(parts.direct)
  const lock = await takeRunLock(session, policy, run.kind)
  if (!lock.isHeld) return await journal.locked(session, lock.holder)

  for (let round = 0; round < ROUNDS[run.kind]; round++) {
    const view = await look(session, policy)
    const evidence = await evidenceFor(parts, session, policy, view, run.kind)
    const { steps, warnings } = plan(policy, view, evidence, [run.kind])
    journal.warn(warnings)
    const fresh = steps.filter((step) => !journal.has(step))
    if (fresh.length === 0) break
    const work = workOf(parts, session, policy, view, lock, run.signal)
    for (const step of fresh) {
      if (run.signal.aborted) break
      await journal.step(session, await takeStep(work, step))
    }
  }
  return await journal.end(session)
}
