import { durationText } from './duration-text.ts'
import type { Outcome } from './outcome.ts'
import type { LockHolder } from './sql/find-lock-holder.ts'

/** Two of the hourly runs. A worker that waits for others looks at them several times a second. */
const FROZEN_MS = 2 * 3_600_000

/** What it means that another session holds the lock of a run: somebody is at it, or hangs and has to be ended. */
export function judgeHolder(holder: LockHolder | null): {
  readonly outcome: Outcome
  readonly reason: string
} {
  if (holder === null) return { outcome: 'locked', reason: 'another worker was at it, and is through' }
  const { pid, application, client, idleMs } = holder
  const where = client === null ? '' : ` from ${client}`
  const who = `process ${pid} (${application ?? 'unknown'}${where})`
  if (idleMs === null || idleMs < FROZEN_MS) {
    return {
      outcome: 'locked',
      reason: `another worker is at it: ${who}. If it is dead: select pg_terminate_backend(${pid})`,
    }
  }
  return {
    outcome: 'refused',
    reason: `${who} holds the lock and has been silent for ${durationText(idleMs)}: it hangs. End it: select pg_terminate_backend(${pid})`,
  }
}
