import type { Outcome } from './outcome.ts'
import type { RunKind } from './policy.ts'
import type { StepKind } from './step.ts'

/** What the metrics hear of maintenance. Implementations return at once and throw nothing. */
export type MaintenanceObserver = {
  runFinished(run: {
    readonly table: string
    readonly kind: RunKind
    readonly outcome: Outcome
    readonly tookMs: number
  }): void
  stepTaken(step: {
    readonly table: string
    readonly step: StepKind
    readonly outcome: Outcome
    readonly waitedMs: number
    readonly tookMs: number
  }): void
  /** Heard after each batch of a pruning, with all that it has deleted so far. */
  rowsPruned(pruning: {
    readonly table: string
    readonly batchRows: number
    readonly deletedRows: number
    readonly estimatedRows: number | null
  }): void
}

/** Hears nothing: for commands, whose process ends with the run. */
export const silentObserver: MaintenanceObserver = {
  runFinished: () => undefined,
  stepTaken: () => undefined,
  rowsPruned: () => undefined,
}
