import type { Blocker } from './sql/list-blockers.ts'
import type { Wait } from './watch-wait.ts'

/** Adds up what a step's statements waited for and did. */
export class StepWait {
  /** Rows that a pruning has deleted so far: they stay deleted, also where it then fails. */
  deletedRows = 0
  #waitedMs = 0
  readonly #blockers = new Map<number, Blocker>()

  readonly add = (wait: Wait): void => {
    this.#waitedMs += wait.waitedMs
    for (const blocker of wait.blockers) this.#blockers.set(blocker.pid, blocker)
  }

  get waitedMs(): number {
    return this.#waitedMs
  }

  get blockers(): readonly Blocker[] {
    return [...this.#blockers.values()]
  }
}
