import { durationText } from '../maintenance/duration-text.ts'
import type { Plan } from '../maintenance/plan.ts'
import type { Step } from '../maintenance/step.ts'
import { alignedText } from './aligned-text.ts'

/** A plan for people: where the table stands, then each step with its reason, its lock and its SQL. */
export function planText(plan: Plan): string {
  const { retention } = plan
  const facts = alignedText(
    [
      ['today', plan.today ?? '-'],
      ['fence', plan.fence ?? 'none yet'],
      ['window', plan.windowEnd === null ? '-' : `through ${plan.windowEnd}`],
      [
        'retention',
        retention.known ? `${durationText(retention.ms)} from ${retention.from}` : retention.reason,
      ],
      ['oldest record', plan.oldestRecord ?? 'none known'],
    ],
    '  ',
  )
  const warnings = plan.warnings.map((warning) => `  warning: ${warning}`)
  const steps = plan.steps.length === 0 ? ['  nothing to do'] : plan.steps.map(stepText)
  return [`${plan.schema}.${plan.table}`, facts, ...warnings, '', ...steps].join('\n')
}

function stepText(step: Step, index: number): string {
  const rows = [
    ['', 'lock', step.lock],
    ...step.sql.flatMap((statement, at) => statementRows(statement, at === 0 ? 'sql' : '')),
  ]
  return `  ${index + 1}. ${step.reason}\n${alignedText(rows, '  ')}`
}

/** A statement over several lines stays as it is written, so that it can be copied. */
function statementRows(statement: string, title: string): string[][] {
  return `${statement};`.split('\n').map((line, index) => ['', index === 0 ? title : '', line])
}
