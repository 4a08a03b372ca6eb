import type { Outcome } from './outcome.ts'
import type { RunKind, RunTrigger } from './policy.ts'
import type { LockHolder } from './sql/find-lock-holder.ts'
import type { StepReport } from './take-step.ts'

/** One execution of a plan. */
export type Run = {
  readonly kind: RunKind
  readonly trigger: RunTrigger
  /** Stops the run between two steps; a detach that waits is cancelled, and finished by the next run. */
  readonly signal: AbortSignal
}

/** How a run went: the worst outcome of its steps, and all of them. */
export type RunReport = {
  readonly runId: string
  readonly kind: RunKind
  readonly table: string
  readonly outcome: Outcome
  readonly steps: readonly StepReport[]
  /** Who was at it, where the outcome is `locked`. */
  readonly holder: LockHolder | null
}
