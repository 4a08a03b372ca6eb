import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Database, openDatabase } from '../../src/postgres/database.ts'
import { identifier } from '../../src/postgres/identifier.ts'
import { settled } from '../../src/postgres/settled.ts'
import { sqlstateOf } from '../../src/postgres/sqlstate.ts'
import { begin, CommitRefusedError, commit, rollback } from '../../src/postgres/transaction.ts'
import { eventually } from '../support/eventually.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'
import { createTestDatabase } from '../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())

/** A pool of one session, so that what is lent next is what was given back, if it is lent again at all. */
function openOne(report: (error: Error) => void = () => undefined, url = db.settings.url): Database {
  return openDatabase({ ...db.settings, url, poolSize: 1 }, report)
}

async function pidOf(pool: Database): Promise<number> {
  return pool.withSession(async ({ pid }) => pid)
}

async function terminate(pid: number): Promise<void> {
  await db.database.query('select pg_terminate_backend($1::integer)', [pid])
}

test('a session says which backend it is', async () => {
  await using pool = openOne()
  await pool.withSession(async (session) => {
    const { rows } = await session.query('select pg_backend_pid() as pid')
    assert.deepEqual(rows, [{ pid: session.pid }])
  })
})

test('a session that served is lent again, also where its use threw', async () => {
  await using pool = openOne()
  const pid = await pidOf(pool)
  await assert.rejects(
    pool.withSession(async () => {
      throw new Error('of the use')
    }),
    /of the use/,
  )
  assert.equal(await pidOf(pool), pid)
})

test('a session that broke while it was lent is not lent again', async () => {
  await using pool = openOne()
  const pid = await pool.withSession(async (session) => {
    await terminate(session.pid)
    await eventually('the loss', async () => {
      const [answer] = await Promise.allSettled([session.query('select 1')])
      return answer.status === 'rejected' && sqlstateOf(answer.reason) === null
    })
    return session.pid
  })
  assert.notEqual(await pidOf(pool), pid)
})

test('a session that was discarded or destroyed is not lent again', async () => {
  await using pool = openOne()
  const discarded = await pool.withSession(async (session) => {
    session.discard(new Error('spoilt'))
    await session.query('select 1')
    return session.pid
  })
  const destroyed = await pool.withSession(async (session) => {
    session.destroy(new Error('hung'))
    return session.pid
  })
  assert.equal(new Set([discarded, destroyed, await pidOf(pool)]).size, 3)
})

test('destroying a session ends what runs on it at once', async () => {
  await using pool = openOne()
  await pool.withSession(async (session) => {
    const running = session.query('select pg_sleep(60)')
    session.destroy(new Error('hung'))
    await assert.rejects(running)
  })
  assert.deepEqual(pool.connections(), { total: 0, idle: 0, waiting: 0 })
})

test('an idle connection that is killed is reported, and the next statement has another', async () => {
  const reported: Error[] = []
  await using pool = openOne((error) => reported.push(error))
  const pid = await pidOf(pool)
  await terminate(pid)
  await eventually('the report', () => reported.length > 0)
  assert.notEqual(await pidOf(pool), pid)
})

test('statements that are not awaited are sent before any is answered, and settle in order', async () => {
  await using proxy = await openTcpProxy(db.settings.url ?? '')
  await using pool = openOne(undefined, proxy.url)
  await pool.withSession(async (session) => {
    proxy.hold()
    const order: number[] = []
    const pending = [1, 2, 3].map(async (number) => {
      const { rows } = await session.query<{ said: number }>(
        `select $1::integer as said, 'number ${number}' as text`,
        [number],
      )
      order.push(number)
      return rows[0]?.said
    })
    await eventually('all three to be sent', () =>
      [1, 2, 3].every((number) => proxy.sent().includes(`number ${number}`)),
    )
    assert.deepEqual(order, [])
    proxy.release()
    assert.deepEqual(await settled(pending), [1, 2, 3])
    assert.deepEqual(order, [1, 2, 3])
  })
})

test('what follows a failed statement of a transaction fails after it, and the first error is the one thrown', async () => {
  await using pool = openOne()
  await pool.withSession(async (session) => {
    await begin(session)
    const pending = [session.query('select 1 / 0'), session.query('select 1')]
    await assert.rejects(settled(pending), { code: '22012' })
    const [, follower] = await Promise.allSettled(pending)
    assert.equal(follower?.status === 'rejected' && sqlstateOf(follower.reason), '25P02')
    await rollback(session)
    await session.query('select 1')
  })
})

test('COMMIT of a failed transaction answers ROLLBACK without an error, and is refused', async () => {
  await using pool = openOne()
  await pool.withSession(async (session) => {
    await begin(session)
    await assert.rejects(session.query('select 1 / 0'))
    const { command } = await session.query('commit')
    assert.equal(command, 'ROLLBACK')

    await begin(session)
    await assert.rejects(session.query('select 1 / 0'))
    await assert.rejects(
      commit(session),
      (error) => error instanceof CommitRefusedError && error.tag === 'ROLLBACK',
    )

    await begin(session)
    await commit(session)
  })
})

test('a session that cannot even roll back is not lent again', async () => {
  await using pool = openOne()
  const pid = await pool.withSession(async (session) => {
    await begin(session)
    await terminate(session.pid)
    await rollback(session)
    return session.pid
  })
  assert.notEqual(await pidOf(pool), pid)
})

test('a pool ends once, however often it is asked to', async () => {
  const pool = openOne()
  await pool.query('select 1')
  await Promise.all([pool.end(), pool.end(), pool[Symbol.asyncDispose]()])
  assert.equal(pool.connections().total, 0)
})

test('the address of a database shows no password', () => {
  const url = 'postgres://app:secret@db.example:6000/ledger?options=-c%20x%3Dsecret'
  const pool = openDatabase({ ...db.settings, url }, () => undefined)
  assert.equal(pool.address, 'db.example:6000/ledger')
})

test('a session of its own reads days and instants alike on every server', async () => {
  await db.database.query(`alter database ${identifier(db.name)} set datestyle = 'SQL, DMY'`)
  await db.database.query(`alter database ${identifier(db.name)} set timezone = 'Asia/Kathmandu'`)
  await using session = await db.connect()
  const { rows } = await session.query(
    `select '2026-02-01'::date::text as day, '2026-02-01T00:00Z'::timestamptz::text as at`,
  )
  assert.deepEqual(rows, [{ day: '2026-02-01', at: '2026-02-01 00:00:00+00' }])
})

test('a session of its own tells how it ended', async () => {
  const closed = await db.connect()
  await closed.end()
  assert.equal(await closed.closed, null)
  await closed.end()

  const killed = await db.connect()
  await terminate(killed.pid)
  assert.equal(sqlstateOf(await killed.closed), '57P01')
  await killed.end()
})
