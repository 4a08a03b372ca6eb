import type { Patience } from './try-step.ts'
import type { Work } from './work.ts'

/**
 * How long ATTACH may take. It locks a default partition against its writers, and scans it; and it locks what the
 * table's foreign keys point to. Then all must be over within the stall budget.
 */
export function attachPatience({ hasDefault, facts, policy }: Work): Patience {
  if (!hasDefault && (facts?.references ?? []).length === 0)
    return { tries: 3, lockTimeoutMs: 2_000, statementTimeoutMs: 60_000 }
  return { tries: 3, lockTimeoutMs: policy.stallBudgetMs / 2, statementTimeoutMs: policy.stallBudgetMs }
}
