import type { Plan } from '../maintenance/plan.ts'
import { planTable } from '../maintenance/table-plan.ts'
import type { CommandOptions } from './command-options.ts'
import { openCommandParts } from './open-command-parts.ts'
import { planText } from './plan-text.ts'
import { printJson, printText } from './print.ts'

/** The exit code of a command that found something to be done, where it was asked to tell. */
const ATTENTION = 3

/** Shows what maintenance would do to each table: the very plan that the worker carries out. */
export async function showPlans(
  options: CommandOptions & { readonly json: boolean; readonly exitCode: boolean },
): Promise<number> {
  const { parts, policies } = await openCommandParts(options)
  const plans: Plan[] = []
  for (const policy of policies) plans.push(await planTable(parts, policy))
  if (options.json) printJson({ plans })
  else printText(plans.map(planText).join('\n\n'))
  return options.exitCode && plans.some(hasWork) ? ATTENTION : 0
}

/** A day that must stay is nothing to do, and nothing to look after. */
function hasWork(plan: Plan): boolean {
  return plan.steps.some((step) => step.kind !== 'keep-day')
}
