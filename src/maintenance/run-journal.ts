import { randomUUID } from 'node:crypto'
import type { Queryable } from '../postgres/queryable.ts'
import { judgeHolder } from './lock-holder.ts'
import type { MaintenanceParts } from './maintenance-parts.ts'
import { isSuccess, LEVEL_OF, type Outcome, worstOf } from './outcome.ts'
import { type Policy, tableOf } from './policy.ts'
import type { Run, RunReport } from './run.ts'
import { deleteOldNotes } from './sql/delete-old-notes.ts'
import type { LockHolder } from './sql/find-lock-holder.ts'
import { insertRunStep } from './sql/insert-run-step.ts'
import { stampSuccess } from './sql/stamp-success.ts'
import type { StepReport } from './take-step.ts'

/** Writes down what a run does: a row per step, a line in the log, a word to the metrics. */
export type RunJournal = {
  /** Says what a person should know; what was said before is not said again. */
  warn(warnings: readonly string[]): void
  step(db: Queryable, report: StepReport): Promise<void>
  locked(db: Queryable, holder: LockHolder | null): Promise<RunReport>
  end(db: Queryable): Promise<RunReport>
  /** Whether a step that is planned again was taken by this run already. */
  has(step: StepReport['step']): boolean
}

export function openRunJournal(parts: MaintenanceParts, policy: Policy, run: Run): RunJournal {
  const runId = randomUUID()
  const startedAtMs = performance.now()
  const steps: StepReport[] = []
  const said = new Set<string>()
  const table = tableOf(policy)
  const log = parts.log.child({ run_id: runId, table, kind: run.kind })
  const about = { runId, trigger: run.trigger, kind: run.kind, schema: policy.schema, table: policy.table }

  const report = (outcome: Outcome, holder: LockHolder | null): RunReport => {
    const tookMs = Math.round(performance.now() - startedAtMs)
    parts.observer.runFinished({ table, kind: run.kind, outcome, tookMs })
    log[LEVEL_OF[outcome]](
      { trigger: run.trigger, outcome, steps: steps.length, took_ms: tookMs, holder },
      'maintenance run ended',
    )
    return { runId, kind: run.kind, table, outcome, steps, holder }
  }
  return {
    warn(warnings) {
      for (const warning of warnings.filter((each) => !said.has(each))) {
        said.add(warning)
        log.warn({ warning }, 'maintenance has something to say')
      }
    },
    async step(db, taken) {
      steps.push(taken)
      const { step, ...facts } = taken
      parts.observer.stepTaken({
        table,
        step: step.kind,
        outcome: facts.outcome,
        waitedMs: facts.waitedMs,
        tookMs: facts.tookMs,
      })
      log[LEVEL_OF[facts.outcome]](fieldsOf(taken), 'maintenance step taken')
      const { partition, fromDay, untilDay, reason } = step
      await insertRunStep(db, { ...about, ...facts, step: step.kind, partition, fromDay, untilDay, reason })
    },
    async locked(db, holder) {
      const { outcome, reason } = judgeHolder(holder)
      await insertRunStep(db, { ...about, ...NOTHING_TAKEN, step: 'lock', outcome, reason })
      return report(outcome, holder)
    },
    async end(db) {
      const outcome = run.signal.aborted
        ? worstOf(['waiting', ...steps.map((each) => each.outcome)])
        : worstOf(steps.map((each) => each.outcome))
      if (isSuccess(outcome)) await stampSuccess(db, policy.schema, policy.table, run.kind)
      await deleteOldNotes(db)
      return report(outcome, null)
    },
    has: (step) => steps.some((each) => keyOf(each.step) === keyOf(step)),
  }
}

const NOTHING_TAKEN = {
  partition: null,
  fromDay: null,
  untilDay: null,
  waitedMs: 0,
  tookMs: 0,
  blockers: [],
  error: null,
  sqlstate: null,
} as const

function fieldsOf({
  step,
  outcome,
  waitedMs,
  tookMs,
  blockers,
  error,
  sqlstate,
}: StepReport): Record<string, unknown> {
  return {
    step: step.kind,
    ...(step.partition === null ? {} : { partition: step.partition }),
    ...(step.fromDay === null ? {} : { day: step.fromDay }),
    outcome,
    reason: step.reason,
    waited_ms: waitedMs,
    took_ms: tookMs,
    ...(blockers.length === 0 ? {} : { blockers }),
    ...(error === null ? {} : { error, sqlstate }),
  }
}

/** Reasons tell ages, which change between two looks; a step that a person must act on is known by its reason. */
function keyOf({ kind, partition, fromDay, reason }: StepReport['step']): string {
  return JSON.stringify([kind, partition, fromDay, kind === 'refuse' ? reason : null])
}
