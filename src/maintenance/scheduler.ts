import { createHash } from 'node:crypto'
import { PgBoss, systemClock } from 'pg-boss'
import { type DatabaseSettings, jobSchemaOf } from '../postgres/database-settings.ts'
import { schemaExists } from '../postgres/schema-exists.ts'
import { complaintOf } from '../postgres/sqlstate.ts'
import type { Log } from '../process/log.ts'
import { RUN_KINDS, type RunKind, type RunTrigger } from './policy.ts'

/** A run that is due: what travels in a job. All else is looked up when it runs, so that a late job does no harm. */
export type DueRun = { readonly kind: RunKind; readonly table: string; readonly trigger: RunTrigger }

/** How a job is settled: `give-up` is for what the next try would end in, too. */
export type RunVerdict = { readonly end: 'completed' | 'retry' | 'give-up'; readonly summary: object }

export interface Scheduler {
  request(run: DueRun): Promise<void>
  /** Takes no more jobs, and waits for those under way. */
  stop(): Promise<void>
}

/** pg-boss's own tables are not those of the pg-boss that this daymark brings. */
export class JobSchemaError extends Error {
  override readonly name = 'JobSchemaError'
  readonly code = 'JOB_SCHEMA'
}

const QUEUE = 'maintenance'
const DEAD_LETTER_QUEUE = 'maintenance-dead'

/** Hourly, off the full hour, and apart from each other. */
const HOURLY: Readonly<Record<RunKind, string>> = { make: '7 * * * *', remove: '37 * * * *' }

/**
 * `exclusive`: for each key one job at most, queued, running or waiting for its next try. So a tick during a run is
 * dropped; the run looks again before it ends. Of a worker that died, the job comes back after a missed heartbeat.
 */
const QUEUE_OPTIONS = {
  policy: 'exclusive',
  deadLetter: DEAD_LETTER_QUEUE,
  heartbeatSeconds: 60,
  expireInSeconds: 3_600,
  retryLimit: 4,
  retryDelay: 30,
  retryBackoff: true,
  retryDelayMax: 600,
  retentionSeconds: 86_400,
} as const

const STOP_TIMEOUT_MS = 20_000

/** Brings pg-boss's own schema up to date, with our queues. The only place where pg-boss may change it. */
export async function migrateJobs(settings: DatabaseSettings): Promise<void> {
  const boss = openBoss(settings, {
    max: 1,
    migrate: true,
    createSchema: !(await schemaExists(settings, jobSchemaOf(settings.schema))),
    schedule: false,
    supervise: false,
    registerInstance: false,
  })
  boss.on('error', () => undefined)
  await boss.start()
  try {
    await boss.createQueue(DEAD_LETTER_QUEUE)
    await boss.createQueue(QUEUE, QUEUE_OPTIONS)
  } finally {
    await boss.stop({ graceful: false })
  }
}

/** Puts runs into the queue, for a process that does not work it. */
export async function openSender(
  settings: DatabaseSettings,
  log: Log,
): Promise<{ send(run: DueRun): Promise<void>; end(): Promise<void> }> {
  const boss = openBoss(settings, {
    max: 1,
    migrate: false,
    schedule: false,
    supervise: false,
    registerInstance: false,
  })
  hear(boss, log)
  await startMigrated(boss, settings)
  return { send: (run) => send(boss, run), end: () => boss.stop({ graceful: false }) }
}

/**
 * Works the queue of runs, and puts the hourly ones into it; those of tables that are not maintained any more are taken
 * out. An hour that was missed is caught up once.
 */
export async function startScheduler(
  settings: DatabaseSettings,
  log: Log,
  tables: readonly string[],
  take: (run: DueRun) => Promise<RunVerdict>,
  clock = systemClock,
): Promise<Scheduler> {
  const boss = openBoss(settings, { max: 3, migrate: false, clock })
  hear(boss, log)
  await startMigrated(boss, settings)
  const due = tables.flatMap((table) =>
    RUN_KINDS.map((kind): DueRun => ({ kind, table, trigger: 'schedule' })),
  )
  await writeSchedules(boss, due)
  // A slot for each: a removal that waits for hours must not keep others from their turn.
  const options = {
    batchSize: 1,
    perJobResults: true,
    heartbeatRefreshSeconds: 20,
    localConcurrency: Math.max(1, due.length),
  } as const
  await boss.work<DueRun, object, typeof options>(QUEUE, options, (jobs) =>
    Promise.all(jobs.map((job) => settle(job.id, job.data, take))),
  )
  return {
    request: (run) => send(boss, run),
    stop: () => boss.stop({ graceful: true, close: true, timeout: STOP_TIMEOUT_MS }),
  }
}

const STATUS_OF = { completed: 'completed', retry: 'failed', 'give-up': 'deadletter' } as const

async function settle(
  id: string,
  run: DueRun,
  take: (run: DueRun) => Promise<RunVerdict>,
): Promise<{ id: string; status: 'completed' | 'failed' | 'deadletter'; output: object }> {
  const { end, summary } = await take(run)
  return { id, status: STATUS_OF[end], output: summary }
}

async function writeSchedules(boss: PgBoss, due: readonly DueRun[]): Promise<void> {
  for (const run of due) {
    const options = { tz: 'UTC', key: keyOf(run), missed: 'once', singletonKey: keyOf(run) } as const
    await boss.schedule(QUEUE, HOURLY[run.kind], run, options)
  }
  const wanted = new Set(due.map(keyOf))
  for (const { key } of await boss.getSchedules(QUEUE)) {
    if (!wanted.has(key)) await boss.unschedule(QUEUE, key)
  }
}

async function send(boss: PgBoss, run: DueRun): Promise<void> {
  // Null is the answer where one is queued or running already: as good as sent.
  await boss.send(QUEUE, run, { singletonKey: keyOf(run) })
}

/** pg-boss takes few characters in a key, and a table's name may have any. */
function keyOf({ kind, table }: DueRun): string {
  const name = /^[\w.-]{1,100}$/.test(table) ? table : createHash('sha256').update(table).digest('hex')
  return `${kind}/${name}`
}

function openBoss(
  settings: DatabaseSettings,
  options: ConstructorParameters<typeof PgBoss>[0] & object,
): PgBoss {
  return new PgBoss({
    ...(settings.url === undefined ? {} : { connectionString: settings.url }),
    schema: jobSchemaOf(settings.schema),
    application_name: settings.applicationName,
    ...options,
  })
}

/**
 * Starts without changing pg-boss's tables. Its refusal of another version has neither class nor code; what the database
 * and the network answer has one, so that what is left is that refusal.
 */
async function startMigrated(boss: PgBoss, settings: DatabaseSettings): Promise<void> {
  try {
    await boss.start()
  } catch (error) {
    // It has opened its pool by then.
    await boss.stop({ graceful: false })
    if (complaintOf(error) !== null) throw error
    throw new JobSchemaError(
      `starting the job queue: schema '${jobSchemaOf(settings.schema)}' is not of the version that this daymark needs ` +
        `(${error instanceof Error ? error.message : String(error)}). Run \`daymark migrate\` with it, and stop workers of another version first.`,
      { cause: error },
    )
  }
}

/** Without a listener a lost connection would end the process. */
function hear(boss: PgBoss, log: Log): void {
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue met an error, and goes on'))
  boss.on('warning', (warning) => log.info({ warning }, 'the job queue warns'))
}
