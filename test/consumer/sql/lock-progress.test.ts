import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { lockProgress } from '../../../src/consumer/sql/lock-progress.ts'
import { setProgress } from '../../../src/consumer/sql/set-progress.ts'
import type { Queryable } from '../../../src/postgres/queryable.ts'
import { sqlstateOf } from '../../../src/postgres/sqlstate.ts'
import { begin, commit } from '../../../src/postgres/transaction.ts'
import { eventually } from '../../support/eventually.ts'
import { newGroup } from '../../support/test-consumer.ts'
import { createTestDatabase } from '../../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())

async function groupAt(nextOffset: string): Promise<string> {
  const group = newGroup()
  await setProgress(db.database, { group, topic: 'payments', partition: 0, nextOffset, lost: 0 })
  return group
}

function lock(
  tx: Queryable,
  group: string,
  given: { seenOffset?: string; lockTimeoutMs?: number; idleTimeoutMs?: number } = {},
) {
  const { seenOffset = '0', lockTimeoutMs = 8_000, idleTimeoutMs = 11_000 } = given
  const limits = { statementTimeoutMs: 9_000, lockTimeoutMs, idleTimeoutMs }
  return lockProgress(tx, { group, topic: 'payments', partition: 0, seenOffset, ...limits })
}

async function limitsOf(session: Queryable): Promise<string[]> {
  const { rows } = await session.query<{ limits: string[] }>(
    `select array[current_setting('statement_timeout'), current_setting('lock_timeout'),
                  current_setting('idle_in_transaction_session_timeout')] as limits`,
  )
  return rows[0]?.limits ?? []
}

describe('locking the progress row', () => {
  test('answers the next offset, the fence and the day of the database', async () => {
    const group = await groupAt('9007199254740993')
    const session = await db.connect()
    const { rows } = await session.query<{ today: string }>(
      `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today`,
    )
    assert.deepEqual(await lock(session, group), {
      nextOffset: '9007199254740993',
      fence: null,
      hasElders: false,
      today: rows[0]?.today,
    })
    await session.query(
      `insert into daymark.maintained_tables (schema_name, table_name, dropped_through)
       values ('daymark', 'processed_events', '2026-07-20'), ('other', 'processed_events', '2026-07-25')`,
    )
    await session.query(`set datestyle = 'SQL, DMY'`)
    assert.equal((await lock(session, group)).fence, '2026-07-20')
    await session.query(`delete from daymark.maintained_tables`)
  })

  test('takes the day in UTC, whatever the zone of the session', async () => {
    const group = await groupAt('0')
    const session = await db.connect()
    const days = new Set<string>()
    for (const zone of ['Pacific/Kiritimati', 'America/New_York', 'Etc/GMT+12']) {
      await session.query(`set timezone = '${zone}'`)
      days.add((await lock(session, group)).today)
    }
    assert.ok(days.size === 1 || (await isMidnight(session)), [...days].join())
  })

  test('sets the limits for the rest of the transaction, and not beyond it', async () => {
    const group = await groupAt('0')
    const session = await db.connect()
    const before = await limitsOf(session)
    await begin(session)
    await lock(session, group)
    assert.deepEqual(await limitsOf(session), ['9s', '8s', '11s'])
    await commit(session)
    assert.deepEqual(await limitsOf(session), before)
    await begin(session)
    await lock(session, group)
    await session.query('rollback')
    assert.deepEqual(await limitsOf(session), before)
  })

  test('raises DM001 where the row is behind what was seen committed', async () => {
    const group = await groupAt('100')
    assert.equal((await lock(db.database, group, { seenOffset: '100' })).nextOffset, '100')
    assert.equal((await lock(db.database, group, { seenOffset: '99' })).nextOffset, '100')
    await assert.rejects(
      lock(db.database, group, { seenOffset: '101' }),
      (error) => sqlstateOf(error) === 'DM001',
    )
  })

  test('raises DM002 where there is no row', async () => {
    await assert.rejects(lock(db.database, newGroup()), (error) => sqlstateOf(error) === 'DM002')
  })

  test('makes two sessions take turns, and the second sees what the first has committed', async () => {
    const group = await groupAt('10')
    const [first, second] = [await db.connect(), await db.connect()]
    await begin(first)
    await lock(first, group)
    await begin(second)
    const waiting = lock(second, group)
    await eventually('the second session to wait for the first', () => isBlockedBy(second.pid, first.pid))
    await first.query(
      `update daymark.consumer_progress set next_offset = 20 where consumer_group = $1::text`,
      [group],
    )
    await commit(first)
    assert.equal((await waiting).nextOffset, '20')
    await commit(second)
  })

  test('waits no longer than its limit, and leaves other partitions alone', async () => {
    const group = await groupAt('10')
    await setProgress(db.database, { group, topic: 'payments', partition: 1, nextOffset: '5', lost: 0 })
    const [first, second] = [await db.connect(), await db.connect()]
    await begin(first)
    await lock(first, group)
    await assert.rejects(lock(second, group, { lockTimeoutMs: 50 }), (error) => sqlstateOf(error) === '55P03')
    const limits = { statementTimeoutMs: 1_000, lockTimeoutMs: 50, idleTimeoutMs: 1_000 }
    const other = { group, topic: 'payments', partition: 1, seenOffset: '0' }
    assert.equal((await lockProgress(second, { ...other, ...limits })).nextOffset, '5')
    await first.query('rollback')
  })

  test('lets a member that froze with the row in hand be put out by its own limit', async () => {
    const group = await groupAt('10')
    const [frozen, next] = [await db.connect(), await db.connect()]
    await begin(frozen)
    await lock(frozen, group, { idleTimeoutMs: 100 })
    assert.equal((await lock(next, group)).nextOffset, '10')
    assert.equal(sqlstateOf(await frozen.closed), '25P03')
  })
})

async function isBlockedBy(pid: number, holder: number): Promise<boolean> {
  const { rows } = await db.database.query<{ blockers: number[] }>(
    'select pg_blocking_pids($1::integer) as blockers',
    [pid],
  )
  return rows[0]?.blockers.includes(holder) ?? false
}

/** The day may change while a test looks. */
async function isMidnight(session: Queryable): Promise<boolean> {
  const { rows } = await session.query<{ is: boolean }>(
    `select (now() at time zone 'UTC')::time < time '00:01' as "is"`,
  )
  return rows[0]?.is ?? false
}
