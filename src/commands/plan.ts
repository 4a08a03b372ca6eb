import type { Plan } from '../maintenance/plan.ts'
import type { CommandOptions } from './command-options.ts'
import { openCommandParts } from './open-command-parts.ts'
import { planTables } from './plan-tables.ts'
import { planText } from './plan-text.ts'
import { printJson, printMessage, printText } from './print.ts'

/** The exit code of a command that found something to be done, where it was asked to tell. */
const ATTENTION = 3

/** Shows what maintenance would do to each table: the very plan that the worker carries out. */
export async function showPlans(
  options: CommandOptions & { readonly json: boolean; readonly exitCode: boolean },
): Promise<number> {
  const { parts, policies } = await openCommandParts(options)
  const { plans, failures } = await planTables(parts, policies)
  for (const { table, error } of failures)
    printMessage(`planning for ${table}: ${error instanceof Error ? error.message : String(error)}`)
  if (options.json) printJson({ plans })
  else printText(plans.map(planText).join('\n\n'))
  if (failures.length > 0) return 1
  return options.exitCode && plans.some(hasWork) ? ATTENTION : 0
}

/** A day that must stay is nothing to do, and nothing to look after. */
function hasWork(plan: Plan): boolean {
  return plan.steps.some((step) => step.kind !== 'keep-day')
}
