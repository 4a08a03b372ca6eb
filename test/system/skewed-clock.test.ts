import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { addDays, dayOf, daysThrough } from '../../src/calendar/period.ts'
import { freePort } from '../../src/local/free-port.ts'
import { startLocalPostgres } from '../../src/local/local-postgres.ts'
import { maintain } from '../../src/maintenance/maintain.ts'
import { silentObserver } from '../../src/maintenance/maintenance-observer.ts'
import type { RunKind } from '../../src/maintenance/policy.ts'
import type { RunReport } from '../../src/maintenance/run.ts'
import { planTable } from '../../src/maintenance/table-plan.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { migrateSchema } from '../../src/postgres/migrate.ts'
import { silentLog } from '../../src/process/log.ts'
import {
  daysOf,
  makeOldDay,
  OWN_RETENTION,
  outcomesOf,
  setFence,
  todayOf,
} from '../maintenance/maintenance-bench.ts'
import { appliedIds } from '../support/ledger.ts'
import { startGroup } from '../support/own-postgres.ts'
import { makeScratchDirectory } from '../support/scratch-directory.ts'

const SKEW_MS = 26.5 * 3_600_000

/** A server whose clock is off by that much, with the tables, and what works on them. */
async function startSkewed(shift: string) {
  await using stack = new AsyncDisposableStack()
  const directory = stack.use(makeScratchDirectory())
  const server = await startLocalPostgres({
    directory: join(directory.path, 'postgres'),
    port: await freePort(),
    parameters: ['fsync=off'],
    wrapper: ['faketime', '-f', shift],
  })
  stack.defer(() => server.stop())
  const url = server.urlOf('postgres')
  const direct = { url, schema: 'daymark', poolSize: 1, applicationName: 'daymark:maintain' }
  await migrateSchema(direct)
  const db = stack.use(await openDirectSession(direct))
  const parts = { direct, kafka: null, log: silentLog, observer: silentObserver }
  const run = (kind: RunKind): Promise<RunReport> =>
    maintain(parts, OWN_RETENTION, { kind, trigger: 'command', signal: new AbortController().signal })
  const held = stack.move()
  return { url, db, parts, run, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

for (const [where, shift, sign] of [
  ['ahead of', '+26.5h', 1],
  ['behind', '-26.5h', -1],
] as const) {
  test(`a database 26 h ${where} us goes by its own clock, says so, and marks and applies what comes now`, async () => {
    await using skewed = await startSkewed(shift)
    const { url, db, parts, run } = skewed
    const today = await todayOf(db)
    const ours = dayOf(Date.now() + sign * SKEW_MS) ?? ''
    // A midnight may lie between the two looks at the clocks.
    assert.ok([addDays(today, -1), today, addDays(today, 1)].includes(ours), `${today} instead of ${ours}`)
    const { warnings } = await planTable(parts, OWN_RETENTION)
    assert.ok(
      warnings.some((warning) => warning.includes(`the database's clock is 1 d 2 h ${where} this machine's`)),
      warnings.join('\n'),
    )
    const [kept, old] = [addDays(today, -8), addDays(today, -9)]
    await setFence(db, addDays(old, -1))
    for (const day of [kept, old]) await makeOldDay(db, day)
    for (const kind of ['make', 'remove'] as const) {
      const report = await run(kind)
      assert.equal(report.outcome, 'done', outcomesOf(report).join('\n'))
    }
    // By one clock, the database's: neither is a day missing ahead, nor one gone too early.
    assert.deepEqual(await daysOf(db), daysThrough(kept, addDays(today, 7)))

    await using group = await startGroup(url)
    const ids = ['first', 'second', 'third']
    await group.send(ids)
    await group.send(ids)
    await group.committed(6)
    assert.deepEqual(await appliedIds(db), ['first', 'second', 'third'])
  })
}
