import { SQLSTATE, sqlstateOf } from '../postgres/sqlstate.ts'
import { adoptElder } from './adopt-elder.ts'
import { dropDetached } from './drop-detached.ts'
import { dropElder } from './drop-elder.ts'
import { finishDetach } from './finish-detach.ts'
import { makeDay } from './make-day.ts'
import type { Outcome } from './outcome.ts'
import { outcomeOfError } from './outcome-of-error.ts'
import { pruneRows } from './prune-rows.ts'
import { reattachDay } from './reattach-day.ts'
import { removeDay } from './remove-day.ts'
import { insertFence } from './sql/insert-fence.ts'
import type { Blocker } from './sql/list-blockers.ts'
import { retireElder } from './sql/retire-elder.ts'
import type { Step } from './step.ts'
import { StepWait } from './step-wait.ts'
import type { Work } from './work.ts'

/** How a step went. */
export type StepReport = {
  readonly step: Step
  readonly outcome: Outcome
  readonly waitedMs: number
  readonly tookMs: number
  /** Who held it up, as last seen. */
  readonly blockers: readonly Blocker[]
  readonly error: string | null
  readonly sqlstate: string | null
}

/** Takes one step. Never rejects: what went wrong is in the report, so that the other steps go on. */
export async function takeStep(work: Work, step: Step): Promise<StepReport> {
  const startedAt = performance.now()
  const wait = new StepWait()
  const report = (outcome: Outcome, error: unknown): StepReport => ({
    step: step.kind === 'prune' ? { ...step, reason: `${step.reason}; ${wait.deletedRows} went` } : step,
    outcome,
    waitedMs: wait.waitedMs,
    tookMs: Math.round(performance.now() - startedAt),
    blockers: wait.blockers,
    error: error instanceof Error ? error.message : null,
    sqlstate: sqlstateOf(error instanceof Error ? (error.cause ?? error) : error),
  })
  try {
    await work.assertLocked()
    return report(await act(work, step, wait), null)
  } catch (error) {
    const isStopped = work.signal.aborted && sqlstateOf(error) === SQLSTATE.queryCanceled
    return report(isStopped ? 'waiting' : outcomeOfError(error), error)
  }
}

async function act(work: Work, step: Step, wait: StepWait): Promise<Outcome> {
  switch (step.kind) {
    case 'write-fence': {
      const { schema, table } = work.policy
      const fence = await insertFence(work.session, schema, table, step.day)
      return fence === step.day ? 'done' : 'already'
    }
    case 'make-day':
      return makeDay(work, step, wait)
    case 'finish-detach':
      return finishDetach(work, step, wait)
    case 'remove-day':
      return removeDay(work, step, wait)
    case 'drop-detached':
      return dropDetached(work, step, wait)
    case 'reattach-day':
      return reattachDay(work, step, wait)
    case 'prune':
      return pruneRows(work, step, wait)
    case 'adopt-elder':
      return adoptElder(work, step, wait)
    case 'retire-elder':
      return (await retireElder(work.session, step.oid)) ? 'done' : 'already'
    case 'drop-elder':
      return dropElder(work, step, wait)
    case 'keep-day':
      return 'kept'
    case 'refuse':
      return 'refused'
  }
}
