import { durationText } from '../maintenance/duration-text.ts'
import type { Plan } from '../maintenance/plan.ts'
import type { Blocker } from '../maintenance/sql/list-blockers.ts'
import type { Step, StepKind, StepOf } from '../maintenance/step.ts'
import { alignedText } from './aligned-text.ts'

/** The steps that wait until everybody who uses the table is through. */
const WAITING: ReadonlySet<StepKind> = new Set(['remove-day', 'finish-detach'])

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
  const holders = plan.steps.some(({ kind }) => WAITING.has(kind)) ? plan.holders.map(holderText) : []
  const warnings = plan.warnings.map((warning) => `  warning: ${warning}`)
  const steps = plan.steps.length === 0 ? ['  nothing to do'] : plan.steps.map(stepText)
  return [`${plan.schema}.${plan.table}`, facts, ...warnings, ...holders, '', ...steps].join('\n')
}

/** One step: its reason, its lock and its SQL. */
export function stepText(step: Step, index: number): string {
  const rows = [
    ...(step.kind === 'remove-day' ? [['', 'size', sizeText(step)]] : []),
    ['', 'lock', step.lock],
    ...step.sql.flatMap((statement, at) => statementRows(statement, at === 0 ? 'sql' : '')),
  ]
  return `  ${index + 1}. ${step.reason}\n${alignedText(rows, '  ')}`
}

function sizeText({ estimatedRows, estimatedBytes }: StepOf<'remove-day'>): string {
  const rows =
    estimatedRows === null ? 'rows not counted yet' : `about ${estimatedRows.toLocaleString('en')} rows`
  return estimatedBytes === null ? rows : `${rows}, ${(estimatedBytes / 1_048_576).toFixed(1)} MiB`
}

function holderText({ pid, user, application, state, ageMs, queryStartedAt }: Blocker): string {
  const who = pid === 0 ? 'a prepared transaction' : `process ${pid}`
  const facts = [
    user === null ? null : `user ${user}`,
    application,
    state,
    ageMs === null ? null : `for ${durationText(ageMs)}`,
    queryStartedAt === null ? null : `last statement at ${queryStartedAt}`,
  ].filter((fact) => fact !== null && fact !== '')
  return `  in use: by ${who} (${facts.join(', ')}); a drop would wait until its transaction ends`
}

/** A statement over several lines stays as it is written, so that it can be copied. */
function statementRows(statement: string, title: string): string[][] {
  return `${statement};`.split('\n').map((line, index) => ['', index === 0 ? title : '', line])
}
