/**
 * How a step or a run ended.
 *
 * - `done` · `already`: as wanted; by us, or found so.
 * - `kept`: a day past its retention that the broker can still deliver.
 * - `contended`: every try lost against another session; the next run tries again.
 * - `waiting`: begun and not finished, such as a detach that was stopped; the next run finishes it.
 * - `locked`: another worker is at it.
 * - `refused`: needs a person; the reason says what to do.
 * - `failed`: not foreseen.
 */
export const OUTCOMES = [
  'already',
  'done',
  'locked',
  'kept',
  'contended',
  'waiting',
  'refused',
  'failed',
] as const

export type Outcome = (typeof OUTCOMES)[number]

/** The log level that an outcome deserves. */
export const LEVEL_OF = {
  already: 'info',
  done: 'info',
  locked: 'info',
  kept: 'warn',
  contended: 'warn',
  waiting: 'warn',
  refused: 'error',
  failed: 'error',
} as const satisfies Record<Outcome, 'info' | 'warn' | 'error'>

/** The outcome of a run is the worst of its steps; a run that found nothing to do found all as wanted. */
export function worstOf(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce<Outcome>(
    (worst, each) => (OUTCOMES.indexOf(each) > OUTCOMES.indexOf(worst) ? each : worst),
    'already',
  )
}

/** Whether a run that ended so did all that there was to do. */
export function isSuccess(outcome: Outcome): boolean {
  return outcome === 'done' || outcome === 'already' || outcome === 'kept' || outcome === 'locked'
}
