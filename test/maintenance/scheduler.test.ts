import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TestClock } from 'pg-boss'
import {
  type DueRun,
  type RunVerdict,
  type Scheduler,
  startScheduler,
} from '../../src/maintenance/scheduler.ts'
import { silentLog } from '../../src/process/log.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const TABLE = 'daymark.processed_events'
const COMPLETED: RunVerdict = { end: 'completed', summary: {} }

/** A scheduler whose runs are only noted. */
async function startNoting(
  db: TestDatabase,
  clock: TestClock,
  take: (run: DueRun) => Promise<RunVerdict> = async () => COMPLETED,
): Promise<Scheduler & AsyncDisposable & { readonly taken: DueRun[] }> {
  const taken: DueRun[] = []
  const scheduler = await startScheduler(
    { ...db.settings, applicationName: 'daymark:maintain' },
    silentLog,
    [TABLE],
    async (run) => {
      taken.push(run)
      return take(run)
    },
    clock,
  )
  return { ...scheduler, taken, [Symbol.asyncDispose]: () => scheduler.stop() }
}

/** Lets time go by, a minute at a time, as a schedule's slots are. */
async function passTime(clock: TestClock, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) await clock.tick(60_000)
}

function kindsOf(runs: readonly DueRun[]): string[] {
  return runs.map(({ kind, trigger }) => `${kind} by ${trigger}`).sort()
}

test('in an hour each kind of run comes once, by its schedule', async () => {
  await using db = await createTestDatabase()
  const clock = new TestClock('2026-08-01T12:50:00Z')
  await using scheduler = await startNoting(db, clock)
  await passTime(clock, 60)
  await eventually('both runs', () => scheduler.taken.length === 2)
  assert.deepEqual(kindsOf(scheduler.taken), ['make by schedule', 'remove by schedule'])
})

test('hours that were missed while no worker ran are caught up once', async () => {
  await using db = await createTestDatabase()
  const clock = new TestClock('2026-08-01T12:36:00Z')
  await using first = await startNoting(db, clock)
  await passTime(clock, 3)
  await eventually('a run of its time', () => first.taken.length === 1)
  await first.stop()
  const later = new TestClock('2026-08-01T18:50:00Z')
  await using second = await startNoting(db, later)
  await passTime(later, 3)
  await eventually('both runs to be caught up', () => second.taken.length === 2)
  await passTime(later, 5)
  assert.deepEqual(kindsOf(second.taken), ['make by schedule', 'remove by schedule'])
})

test('a run that is requested while one of its kind goes on is answered by that one, and the next hour has its own', async () => {
  await using db = await createTestDatabase()
  const clock = new TestClock('2026-08-01T12:35:00Z')
  const release = Promise.withResolvers<void>()
  await using scheduler = await startNoting(db, clock, async () => {
    await release.promise
    return COMPLETED
  })
  await passTime(clock, 4)
  await eventually('the run of its schedule', () => scheduler.taken.length === 1)
  await scheduler.request({ kind: 'remove', table: TABLE, trigger: 'request' })
  await passTime(clock, 4)
  assert.deepEqual(kindsOf(scheduler.taken), ['remove by schedule'])
  release.resolve()
  await eventually('the job to be completed', async () => {
    const { rows } = await db.database.query(`select from daymark_pgboss.job where state = 'active'`)
    return rows.length === 0
  })
  await clock.setTime('2026-08-01T13:35:00Z')
  await passTime(clock, 4)
  await eventually(
    'the next removal',
    () => scheduler.taken.filter(({ kind }) => kind === 'remove').length === 2,
  )
})

test('a run that fails is tried again with patience, and one that a person must mend is not', async () => {
  await using db = await createTestDatabase()
  const clock = new TestClock('2026-08-01T12:50:00Z')
  await using scheduler = await startNoting(db, clock, async ({ kind }) => ({
    end: kind === 'make' ? 'retry' : 'give-up',
    summary: {},
  }))
  await scheduler.request({ kind: 'make', table: TABLE, trigger: 'request' })
  await scheduler.request({ kind: 'remove', table: TABLE, trigger: 'request' })
  const takenOf = (wanted: string): number => scheduler.taken.filter(({ kind }) => kind === wanted).length
  await eventually('both to be taken', async () => {
    await clock.tick(1_000)
    return takenOf('make') === 1 && takenOf('remove') === 1
  })
  await passTime(clock, 12)
  await eventually('a second try', () => takenOf('make') > 1)
  assert.equal(takenOf('remove'), 1)
})
