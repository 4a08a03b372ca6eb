import type { Blocker } from './sql/list-blockers.ts'
import type { Wait } from './watch-wait.ts'

/** Adds up the waits of a step's statements. */
export class StepWait {
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
