import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysThrough } from '../../src/calendar/period.ts'
import { look } from '../../src/maintenance/look.ts'
import { plan } from '../../src/maintenance/plan.ts'
import { takeStep } from '../../src/maintenance/take-step.ts'
import { workOf } from '../../src/maintenance/work.ts'
import {
  daysOf,
  makeOldDay,
  OWN_RETENTION,
  outcomesOf,
  partsOf,
  runOnce,
  setFence,
  todayOf,
} from '../maintenance/maintenance-bench.ts'
import { startWorkerProcess } from '../maintenance/start-worker-process.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase } from '../support/test-database.ts'

test('four workers that start at once make every day once, and remove the old one once', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  const old = addDays(today, -9)
  await setFence(db.database, addDays(today, -10))
  await makeOldDay(db.database, old)
  const policy = { ...OWN_RETENTION, runwayDays: 12 }
  const workers = await Promise.all(Array.from({ length: 4 }, () => startWorkerProcess(db, policy)))
  try {
    const wanted = daysThrough(addDays(today, -8), addDays(today, 12))
    await eventually(
      'the days to be as wanted',
      async () => JSON.stringify(await daysOf(db.database)) === JSON.stringify(wanted),
    )
    await eventually('the removal to be written down', async () => {
      const { rows } = await db.database.query(
        `select from daymark.maintenance_runs where step = 'remove-day' and outcome = 'done'`,
      )
      return rows.length === 1
    })
    const { rows } = await db.database.query<{ step: string; day: string; times: number }>(
      `select step, to_char(from_day, 'YYYY-MM-DD') as day, count(*)::integer as times
         from daymark.maintenance_runs
        where outcome = 'done'
        group by step, from_day
       having count(*) > 1`,
    )
    assert.deepEqual(rows, [])
    const { rows: bad } = await db.database.query(
      `select step, outcome, error from daymark.maintenance_runs where outcome not in ('done', 'already', 'locked')`,
    )
    assert.deepEqual(bad, [])
  } finally {
    for (const worker of workers) await worker[Symbol.asyncDispose]()
  }
})

test('a worker that finds another at it says who, and counts as no failure', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  await makeOldDay(db.database, addDays(today, -9))
  await setFence(db.database, addDays(today, -10))
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select count(*) from daymark.processed_events')
  const first = runOnce(db, 'remove')
  await eventually('the first to be at it', async () => {
    const { rows } = await db.database.query(`select from pg_inherits where inhdetachpending`)
    return rows.length === 1
  })
  const second = await runOnce(db, 'remove')
  assert.deepEqual([second.outcome, second.holder?.application], ['locked', 'daymark:maintain'])
  const { rows } = await db.database.query<{ reason: string }>(
    `select reason from daymark.maintenance_runs where outcome = 'locked'`,
  )
  assert.match(rows[0]?.reason ?? '', /process \d+ \(daymark:maintain.*pg_terminate_backend/)
  await reader.query('commit')
  assert.equal((await first).outcome, 'done')
})

test('sixteen sessions that make one day at the same moment, without a lock between them, all succeed', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  await setFence(db.database, addDays(today, -2))
  const policy = { ...OWN_RETENTION, runwayDays: 8 }
  const parts = partsOf(db)
  const works = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const session = await db.connect()
      const view = await look(session, policy)
      const [step] = plan(policy, view, [], ['make']).steps
      assert.ok(step)
      const lock = { isHeld: true, assertHeld: async () => undefined } as const
      return { work: workOf(parts, session, policy, view, lock, new AbortController().signal), step }
    }),
  )
  const reports = await Promise.all(works.map(({ work, step }) => takeStep(work, step)))
  const outcomes = reports.map(({ outcome, error }) => `${outcome}${error ?? ''}`).sort()
  assert.deepEqual(outcomes, [...Array.from({ length: 15 }, () => 'already'), 'done'])
})

test('two workers that remove the same day, without a lock between them, do no harm', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  const old = addDays(today, -9)
  await makeOldDay(db.database, old)
  await setFence(db.database, addDays(today, -10))
  const parts = partsOf(db)
  const sessions = await Promise.all([db.connect(), db.connect()])
  const reports = await Promise.all(
    sessions.map(async (session) => {
      const view = await look(session, OWN_RETENTION)
      const [step] = plan(OWN_RETENTION, view, [], ['remove']).steps
      assert.ok(step)
      const lock = { isHeld: true, assertHeld: async () => undefined } as const
      return takeStep(workOf(parts, session, OWN_RETENTION, view, lock, new AbortController().signal), step)
    }),
  )
  assert.ok(reports.some(({ outcome }) => outcome === 'done'))
  assert.ok(
    reports.every(({ outcome }) => ['done', 'already', 'contended', 'waiting'].includes(outcome)),
    JSON.stringify(reports),
  )
  const after = await runOnce(db, 'remove')
  assert.equal(after.outcome, 'already', outcomesOf(after).join('\n'))
  assert.deepEqual(await daysOf(db.database), daysThrough(addDays(today, -1), addDays(today, 7)))
})

test('a worker that is frozen while it removes keeps no other from making days, and its end sets the removal free', async () => {
  await using db = await createTestDatabase()
  const today = await todayOf(db.database)
  const old = addDays(today, -9)
  await setFence(db.database, addDays(today, -10))
  await makeOldDay(db.database, old)
  const reader = await db.connect()
  await reader.query('begin')
  await reader.query('select count(*) from daymark.processed_events')
  await using worker = await startWorkerProcess(db, OWN_RETENTION)
  await eventually('its detach to wait', async () => {
    const { rows } = await db.database.query(`select from pg_inherits where inhdetachpending`)
    return rows.length === 1
  })
  worker.process.kill('SIGSTOP')
  assert.equal((await runOnce(db, 'make', { ...OWN_RETENTION, runwayDays: 9 })).outcome, 'done')
  assert.equal((await runOnce(db, 'remove')).outcome, 'locked')
  await reader.query('commit')
  worker.process.kill('SIGKILL')
  await eventually('the lock to be free', async () => (await runOnce(db, 'remove')).outcome !== 'locked')
  assert.ok(!(await daysOf(db.database)).includes(old))
})
