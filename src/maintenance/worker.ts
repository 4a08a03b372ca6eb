import type { Log } from '../process/log.ts'
import { assertRights } from './assert-rights.ts'
import { assertRetention } from './interlock.ts'
import { maintain } from './maintain.ts'
import type { MaintenanceParts } from './maintenance-parts.ts'
import { openMaintenanceSession } from './open-maintenance-session.ts'
import { isSuccess } from './outcome.ts'
import { type Policy, type RunKind, tableOf } from './policy.ts'
import type { RunReport } from './run.ts'
import { type DueRun, type RunVerdict, type Scheduler, startScheduler } from './scheduler.ts'

/** Maintenance as a process has it. Any number may run on one database: one does the work. */
export type Worker = {
  /** Ends the run in hand between two steps, and what waits, by cancelling it; the next run goes on from there. */
  stop(): Promise<void>
  /** Settles when it has stopped. */
  readonly done: Promise<void>
}

/**
 * Starts maintenance: makes the missing days at once, so that they are there when this resolves, then works the queue,
 * and meanwhile removes what is due. The runs of the start do not go through the queue, where the job of a worker that
 * was just stopped may be waiting for its next try. Rejects where it could never work: a retention that is too short, a
 * role without the rights, a pooler in between, a job queue that has not been migrated.
 */
export async function startWorker(parts: MaintenanceParts, policies: readonly Policy[]): Promise<Worker> {
  await using session = await openMaintenanceSession(parts.direct)
  await assertRights(session, parts.log, policies)
  await assertRetention(parts, policies)
  const stopping = new AbortController()
  const byTable = new Map(policies.map((policy) => [tableOf(policy), policy]))
  const take = (due: DueRun): Promise<RunVerdict> =>
    takeRun(parts, byTable.get(due.table), due, stopping.signal)
  const tables = [...byTable.keys()]
  const missed: DueRun[] = []
  const takeAtStart = async (kind: RunKind): Promise<void> => {
    for (const table of tables) {
      const { end } = await take({ kind, table, trigger: 'start' })
      if (end === 'retry') missed.push({ kind, table, trigger: 'request' })
    }
  }
  await takeAtStart('make')
  const scheduler = await startScheduler(parts.direct, parts.log, tables, take)
  const started = takeAtStart('remove').then(() => requestAll(scheduler, missed, stopping.signal, parts.log))

  const done = Promise.withResolvers<void>()
  // Whoever waits for the end hears of it; nobody has to.
  done.promise.catch(() => undefined)
  return {
    done: done.promise,
    stop() {
      if (!stopping.signal.aborted) {
        stopping.abort()
        Promise.all([started, scheduler.stop()]).then(() => done.resolve(), done.reject)
      }
      return done.promise
    },
  }
}

/** What went wrong at the start is tried again by way of the queue, which has the patience for it. */
async function requestAll(
  scheduler: Scheduler,
  runs: readonly DueRun[],
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  for (const run of signal.aborted ? [] : runs) {
    await scheduler
      .request(run)
      .catch((error) => log.warn({ ...run, err: error }, 'a run could not be put into the queue'))
  }
}

/**
 * One run for a job. The job's own signal is not passed on: it also means that an hour is over, and a detach that
 * waits longer does no harm, while cancelling it would leave it pending. The lock of the run keeps a second try out.
 */
async function takeRun(
  parts: MaintenanceParts,
  policy: Policy | undefined,
  { kind, table, trigger }: DueRun,
  signal: AbortSignal,
): Promise<RunVerdict> {
  if (policy === undefined) return { end: 'completed', summary: { table, outcome: 'not maintained here' } }
  try {
    return verdictOf(await maintain(parts, policy, { kind, trigger, signal }))
  } catch (error) {
    say(parts.log, table, kind, error)
    return {
      end: 'retry',
      summary: { table, kind, error: error instanceof Error ? error.message : String(error) },
    }
  }
}

function verdictOf(report: RunReport): RunVerdict {
  const { runId, table, kind, outcome, steps } = report
  const summary = { runId, table, kind, outcome, steps: steps.length }
  if (isSuccess(outcome)) return { end: 'completed', summary }
  return { end: outcome === 'refused' ? 'give-up' : 'retry', summary }
}

function say(log: Log, table: string, kind: string, error: unknown): void {
  log.error({ table, kind, err: error }, 'a maintenance run could not look at its table, and is tried again')
}
