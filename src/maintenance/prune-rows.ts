import { setTimeout as delay } from 'node:timers/promises'
import type { Outcome } from './outcome.ts'
import { tableOf } from './policy.ts'
import type { StepOf } from './step.ts'
import type { StepWait } from './step-wait.ts'
import { watchWait } from './watch-wait.ts'
import { openWorkSession, type Work } from './work.ts'

const PAUSE_MS = 200
/** How often a long pruning is heard of in the log. */
const SAY_EVERY_MS = 10_000
/** A batch that takes longer has lost its index, or waits for a row: it is given up, and so is the run. */
const PATIENCE = { lockTimeoutMs: 2_000, statementTimeoutMs: 60_000 }

/**
 * Deletes batch by batch, each in a transaction of its own, until none is left that is old enough. Between two it pauses
 * for the writers and for vacuum, and looks whether it is to stop: the next run goes on with the oldest that is left.
 */
export async function pruneRows(work: Work, step: StepOf<'prune'>, wait: StepWait): Promise<Outcome> {
  await using session = await openWorkSession(work.direct)
  await session.query(`set lock_timeout = ${PATIENCE.lockTimeoutMs}`)
  await session.query(`set statement_timeout = ${PATIENCE.statementTimeoutMs}`)
  const table = tableOf(work.policy)
  let saidAt = performance.now()
  while (!work.signal.aborted) {
    const { rowCount } = await watchWait(work, session.pid, () => session.query(step.batch), wait.add)
    const batchRows = rowCount ?? 0
    if (batchRows === 0) return wait.deletedRows === 0 ? 'already' : 'done'
    wait.deletedRows += batchRows
    const { deletedRows } = wait
    work.observer.rowsPruned({ table, batchRows, deletedRows, estimatedRows: step.estimatedRows })
    if (performance.now() - saidAt > SAY_EVERY_MS) {
      saidAt = performance.now()
      work.log.info(
        { deleted_rows: deletedRows, estimated_rows: step.estimatedRows },
        'old rows are being deleted',
      )
    }
    // Woken early is what the signal is for.
    await delay(PAUSE_MS, undefined, { signal: work.signal }).catch(() => undefined)
    await work.assertLocked()
  }
  return 'waiting'
}
