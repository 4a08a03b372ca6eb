import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { complaintOf, SQLSTATE, sqlstateOf } from '../../src/postgres/sqlstate.ts'
import { eventually } from '../support/eventually.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'
import { createTestDatabase } from '../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())
const { url = '' } = db.settings

test('a refused statement tells its code, its table and its constraint', async () => {
  await db.database.query(
    'create table judged (amount integer constraint amounts_are_positive check (amount > 0))',
  )
  const complaint = complaintOf(await errorOf(db.database.query('insert into judged values (0)')))
  assert.equal(complaint?.sqlstate, SQLSTATE.checkViolation)
  assert.equal(complaint?.table, 'judged')
  assert.equal(complaint?.constraint, 'amounts_are_positive')
  assert.equal(complaint?.systemCode, null)
})

test('a missing partition names the parent and no constraint, unlike any other violated check', async () => {
  const insert = `insert into daymark.processed_events (consumer_group, event_id, marker_day, topic, partition, "offset")
                  values ('g', 'e', '2001-01-01', 't', 0, 0)`
  const complaint = complaintOf(await errorOf(db.database.query(insert)))
  assert.equal(complaint?.sqlstate, SQLSTATE.checkViolation)
  assert.equal(complaint?.table, 'processed_events')
  assert.equal(complaint?.constraint, null)
})

test('a code that daymark raises itself is told like any other', async () => {
  const raise = `do $$ begin raise exception 'behind' using errcode = 'DM001'; end $$`
  assert.equal(sqlstateOf(await errorOf(db.database.query(raise))), SQLSTATE.progressBehind)
})

test('the wording of a server in another language changes nothing', async () => {
  const error = Object.assign(new Error('Relation »x« existiert nicht'), {
    code: '42P01',
    severity: 'FEHLER',
  })
  assert.equal(sqlstateOf(error), SQLSTATE.undefinedTable)
})

test('a backend that is terminated under a statement tells 57P01, and is lost afterwards', async () => {
  await using session = await db.connect()
  const waiting = errorOf(session.query('select pg_sleep(60)'))
  await terminate(session.pid)
  assert.equal(sqlstateOf(await waiting), SQLSTATE.adminShutdown)
  await session.closed
  assertLoss(await errorOf(session.query('select 1')))
})

test('a backend that is terminated while nobody waits is a loss at the next statement', async () => {
  await using session = await db.connect()
  await terminate(session.pid)
  assertLoss(await session.closed)
  assertLoss(await errorOf(session.query('select 1')))
})

test('a session of the pool whose backend is terminated between two statements is lost', async () => {
  await using pool = openDatabase({ ...db.settings, poolSize: 1 }, () => undefined)
  await pool.withSession(async (session) => {
    await terminate(session.pid)
    assertLoss(
      await eventually('the loss', () =>
        session.query('select 1').then(
          () => false,
          (error: unknown) => error,
        ),
      ),
    )
  })
})

test('a backend that ends itself for idling in a transaction is a loss', async () => {
  await using session = await db.connect()
  await session.query(`set idle_in_transaction_session_timeout = '10ms'`)
  await session.query('begin')
  assert.equal(sqlstateOf(await session.closed), '25P03')
  assertLoss(await errorOf(session.query('select 1')))
})

test('a network that breaks under a statement, and before the next, is a loss', async () => {
  await using proxy = await openTcpProxy(url)
  await using session = await openDirectSession({ ...db.settings, url: proxy.url })
  const pending = [errorOf(session.query('select pg_sleep(60)')), errorOf(session.query('select 1'))]
  proxy.cut()
  for (const error of await Promise.all(pending)) assertLoss(error)
  assertLoss(await errorOf(session.query('select 1')))
})

test('pipelined statements are all lost with their connection', async () => {
  await using proxy = await openTcpProxy(url)
  await using pool = openDatabase({ ...db.settings, url: proxy.url, poolSize: 1 }, () => undefined)
  await pool.withSession(async (session) => {
    const pending = ['select pg_sleep(60)', 'select 1', 'select 2'].map((text) =>
      errorOf(session.query(text)),
    )
    await eventually('all of them to be sent', () => proxy.sent().includes('select 2'))
    proxy.cut()
    for (const error of await Promise.all(pending)) assertLoss(error)
  })
})

test('a network that breaks while a connection is made is a loss', async () => {
  await using proxy = await openTcpProxy(url)
  proxy.hold()
  const connecting = errorOf(openDirectSession({ ...db.settings, url: proxy.url }))
  await eventually('the greeting', () => proxy.sent().includes('user'))
  proxy.cut()
  assertLoss(await connecting)
})

test('a session that is destroyed loses what is under way on it, and what comes after', async () => {
  await using direct = await db.connect()
  const pending = errorOf(direct.query('select pg_sleep(60)'))
  direct.destroy(new Error('enough'))
  assertLoss(await pending)
  assertLoss(await errorOf(direct.query('select 1')))

  await using pool = openDatabase(db.settings, () => undefined)
  await pool.withSession(async (session) => {
    const pooled = errorOf(session.query('select pg_sleep(60)'))
    session.destroy(new Error('enough'))
    assertLoss(await pooled)
    assertLoss(await errorOf(session.query('select 1')))
  })
})

test('a session or a pool that was closed is a loss', async () => {
  const session = await db.connect()
  await session.end()
  assertLoss(await errorOf(session.query('select 1')))

  const pool = openDatabase(db.settings, () => undefined)
  await pool.query('select 1')
  await pool.end()
  assertLoss(await errorOf(pool.query('select 1')))
  assertLoss(await errorOf(pool.withSession(async () => undefined)))
})

test('an address where nobody listens, or that nobody knows, is a loss', async () => {
  const refused = new URL(url)
  refused.port = '1'
  const complaint = complaintOf(await errorOf(openDirectSession({ ...db.settings, url: refused.href })))
  assert.equal(complaint?.systemCode, 'ECONNREFUSED')
  await using pool = openDatabase({ ...db.settings, url: refused.href }, () => undefined)
  assertLoss(await errorOf(pool.query('select 1')))

  const unknown = { ...db.settings, url: 'postgres://app@no-such-host.invalid:5432/app' }
  assertLoss(await errorOf(openDirectSession(unknown)))
  const noSocket = { ...db.settings, url: 'postgres://app@/app?host=/nowhere' }
  assertLoss(await errorOf(openDirectSession(noSocket)))
})

test('a resolver that cannot answer now is a loss', () => {
  const error = Object.assign(new Error('getaddrinfo EAI_AGAIN db'), {
    code: 'EAI_AGAIN',
    syscall: 'getaddrinfo',
  })
  assertLoss(error)
})

test('what others throw is no complaint of the database', async () => {
  assert.equal(complaintOf(await errorOf(readFile('/no/such/file'))), null)
  assert.equal(complaintOf(await errorOf(readFile('/'))), null)
  assert.equal(complaintOf(await errorOf(fetch('http://127.0.0.1:1/'))), null)
  assert.equal(complaintOf(new TypeError('x is not a function')), null)
  assert.equal(complaintOf(Object.assign(new Error('bad'), { code: 'ERR_INVALID_ARG_TYPE' })), null)
  assert.equal(complaintOf(Object.assign(new Error('of another library'), { code: '23505' })), null)
  for (const thrown of [null, undefined, 'Connection terminated', { message: 'Connection terminated' }]) {
    assert.equal(complaintOf(thrown), null)
  }
})

function assertLoss(error: unknown): void {
  const complaint = complaintOf(error)
  assert.ok(complaint, `expected a complaint of the database, got ${String(error)}`)
  assert.ok(
    complaint.sqlstate === null || /^(?:57P|25P03)/.test(complaint.sqlstate),
    complaint.sqlstate ?? '',
  )
}

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => assert.fail('expected an error'),
    (error: unknown) => error,
  )
}

async function terminate(pid: number): Promise<void> {
  await db.database.query('select pg_terminate_backend($1::integer)', [pid])
}
