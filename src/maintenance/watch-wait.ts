import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseSettings } from '../postgres/database-settings.ts'
import { openDirectSession } from '../postgres/direct-session.ts'
import type { Log } from '../process/log.ts'
import { cancelBackend } from './sql/cancel-backend.ts'
import { type Blocker, listBlockers } from './sql/list-blockers.ts'
import type { Work } from './work.ts'

/** How long a statement waited for other sessions, and for which. */
export type Wait = { readonly waitedMs: number; readonly blockers: readonly Blocker[] }

const QUICK_MS = 25
const STEADY_MS = 250
/** After this long a wait is said aloud. */
const NOTABLE_MS = 1_000

/**
 * Runs a statement on another session and watches it from the run's own: who holds it up, and for how long. When the
 * run is to stop, the statement is cancelled from a further connection; closing a socket would not cancel it.
 */
export async function watchWait<Result>(
  work: Work,
  pid: number,
  run: () => Promise<Result>,
  heard: (wait: Wait) => void,
): Promise<Result> {
  const over = new AbortController()
  const watching = watch(work, pid, over.signal)
  try {
    return await run()
  } finally {
    over.abort()
    heard(await watching)
  }
}

async function watch(work: Work, pid: number, over: AbortSignal): Promise<Wait> {
  const blockers = new Map<number, Blocker>()
  const startedAt = performance.now()
  let waitedMs = 0
  let lastAt = startedAt
  let isSaid = false
  while (!over.aborted) {
    await pause(performance.now() - startedAt < NOTABLE_MS ? QUICK_MS : STEADY_MS, over)
    if (over.aborted) break
    if (work.signal.aborted) await cancel(work.direct, pid, work.log)
    // Without its session the run is lost anyway; the next check of the lock says so.
    const found = await listBlockers(work.session, pid).catch(() => [])
    const now = performance.now()
    if (found.length > 0) waitedMs += now - lastAt
    lastAt = now
    for (const blocker of found) blockers.set(blocker.pid, blocker)
    if (!isSaid && waitedMs > NOTABLE_MS) {
      isSaid = true
      work.log.warn(
        { pid, waited_ms: waitedMs, blockers: found },
        'a maintenance step waits for another session',
      )
    }
  }
  return { waitedMs: Math.round(waitedMs), blockers: [...blockers.values()] }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // Woken early is what the signal is for.
  await delay(ms, undefined, { signal }).catch(() => undefined)
}

async function cancel(direct: DatabaseSettings, pid: number, log: Log): Promise<void> {
  try {
    await using session = await openDirectSession(direct)
    await cancelBackend(session, pid, direct.applicationName)
  } catch (error) {
    log.warn({ pid, err: error }, 'cancelling a maintenance statement failed, and is tried again')
  }
}
