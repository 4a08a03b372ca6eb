import { gatherEvidence } from './gather-evidence.ts'
import { look } from './look.ts'
import type { MaintenanceParts } from './maintenance-parts.ts'
import { openMaintenanceSession } from './open-maintenance-session.ts'
import { type Plan, plan } from './plan.ts'
import type { Policy } from './policy.ts'

/** The plan for a table as it is now: what `plan`, `apply --dry-run`, `status` and the page show. Changes nothing in it. */
export async function planTable(parts: MaintenanceParts, policy: Policy): Promise<Plan> {
  await using session = await openMaintenanceSession(parts.direct)
  const view = await look(session, policy)
  const evidence = await gatherEvidence({ db: session, kafka: parts.kafka, log: parts.log }, policy, view)
  return plan(policy, view, evidence)
}
