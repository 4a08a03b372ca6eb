import type { DirectSession } from '../postgres/direct-session.ts'
import type { TopicEvidence } from './evidence.ts'
import { gatherEvidence } from './gather-evidence.ts'
import { look } from './look.ts'
import type { MaintenanceParts } from './maintenance-parts.ts'
import { openMaintenanceSession } from './open-maintenance-session.ts'
import { type Plan, plan } from './plan.ts'
import type { Policy } from './policy.ts'
import type { TableView } from './table-view.ts'

/** The plan for a table as it is now: what `plan`, `apply --dry-run`, `status` and the page show. Changes nothing in it. */
export async function planTable(parts: MaintenanceParts, policy: Policy): Promise<Plan> {
  await using session = await openMaintenanceSession(parts.direct)
  return (await lookAtTable(session, parts, policy)).plan
}

/** A plan with all that it was made from: what `check` judges. */
export type TableLook = {
  readonly view: TableView
  readonly topics: readonly TopicEvidence[]
  readonly plan: Plan
}

export async function lookAtTable(
  session: DirectSession,
  { kafka, log }: Pick<MaintenanceParts, 'kafka' | 'log'>,
  policy: Policy,
): Promise<TableLook> {
  const view = await look(session, policy)
  const topics = await gatherEvidence({ db: session, kafka, log }, policy, view)
  return { view, topics, plan: plan(policy, view, topics) }
}
