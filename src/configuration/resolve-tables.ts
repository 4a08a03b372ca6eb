import type { Policy } from '../maintenance/policy.ts'
import type { ParsedSettings } from './schema.ts'
import type { ParsedTable } from './section/tables-section.ts'

type Limits = Pick<ParsedTable, 'retention' | 'runwayDays' | 'maxDaysBack' | 'maxDropsPerRun' | 'stallBudget'>

/** What a policy takes from the settings that every table has. */
export function limitsOf(
  settings: Limits,
): Pick<Policy, 'retention' | 'runwayDays' | 'maxDaysBack' | 'maxDropsPerRun' | 'stallBudgetMs'> {
  const { retention, runwayDays, maxDaysBack, maxDropsPerRun, stallBudget } = settings
  return {
    retention: retention === 'from-topics' ? { kind: 'from-topics' } : { kind: 'given', ms: retention },
    runwayDays,
    maxDaysBack,
    maxDropsPerRun,
    stallBudgetMs: stallBudget,
  }
}

/** The policies of the tables that are named beside the marker table. */
export function tablePolicies({ tables, maintenance }: ParsedSettings): Policy[] {
  return tables.map(
    (settings): Policy => ({
      schema: settings.table.schema,
      table: settings.table.table,
      topics: settings.topics,
      unpartitioned: settings.unpartitioned ?? null,
      keepDetachedMs: settings.keepDetached ?? maintenance.keepDetached ?? 0,
      maxPublishDelayMs: settings.maxPublishDelay ?? 0,
      ...limitsOf(settings),
    }),
  )
}
