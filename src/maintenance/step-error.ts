import type { Outcome } from './outcome.ts'

/** A step that ended otherwise than planned, in a way that was foreseen. The message says what to do. */
export class StepError extends Error {
  override readonly name = 'StepError'
  readonly code = 'STEP'
  readonly outcome: Outcome

  constructor(outcome: Outcome, message: string, options?: ErrorOptions) {
    super(message, options)
    this.outcome = outcome
  }
}
