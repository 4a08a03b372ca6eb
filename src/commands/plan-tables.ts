import type { MaintenanceParts } from '../maintenance/maintenance-parts.ts'
import type { Plan } from '../maintenance/plan.ts'
import { type Policy, tableOf } from '../maintenance/policy.ts'
import { planTable } from '../maintenance/table-plan.ts'

/** A table that could not be looked at. */
export type Failure = { readonly table: string; readonly error: unknown }

/** What cannot be looked at is said, and the other tables are shown; where it is all of them, it is not about a table. */
export async function planTables(
  parts: MaintenanceParts,
  policies: readonly Policy[],
): Promise<{ plans: Plan[]; failures: Failure[] }> {
  const plans: Plan[] = []
  const failures: Failure[] = []
  for (const policy of policies) {
    try {
      plans.push(await planTable(parts, policy))
    } catch (error) {
      failures.push({ table: tableOf(policy), error })
    }
  }
  const [first] = failures
  if (plans.length === 0 && first !== undefined) throw first.error
  return { plans, failures }
}
