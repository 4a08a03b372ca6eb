import type { RunReport } from '../maintenance/run.ts'
import { alignedText } from './aligned-text.ts'

/** How a run went, for people: its outcome, then each step with its own. */
export function runReportText({ table, kind, outcome, steps, holder }: RunReport): string {
  const locked = holder === null ? '' : `: another worker is at it (process ${holder.pid})`
  const head = `${table}  ${kind}  ${outcome}${locked}`
  if (steps.length === 0) return head
  const rows = steps.map(({ step, outcome: stepOutcome, tookMs, error }) => [
    stepOutcome,
    step.kind,
    `${tookMs} ms`,
    error === null ? step.reason : `${step.reason}: ${error}`,
  ])
  return `${head}\n${alignedText(rows, '  ')}`
}
