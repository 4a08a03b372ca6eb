import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { openDirectSession } from '../../src/postgres/direct-session.ts'
import { complaintOf } from '../../src/postgres/sqlstate.ts'
import { openSilentServer } from '../support/tcp-proxy.ts'
import { createTestDatabase } from '../support/test-database.ts'

const db = await createTestDatabase()
const silent = await openSilentServer()
after(async () => {
  await silent[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})
const silentUrl = `postgres://app@127.0.0.1:${silent.port}/app`

// Each takes the ten seconds that daymark allows; so all at once.
describe('a connection that does not come about within ten seconds is a complaint', {
  concurrency: true,
}, () => {
  test('of a pool whose server never answers', async () => {
    await using pool = openDatabase({ ...db.settings, url: silentUrl }, () => undefined)
    await assert.rejects(pool.query('select 1'), (error) => complaintOf(error) !== null)
  })

  test('of a session of its own whose server never answers', async () => {
    await assert.rejects(
      openDirectSession({ ...db.settings, url: silentUrl }),
      (error) => complaintOf(error) !== null,
    )
  })

  test('of a pool all of whose sessions are lent', async () => {
    await using pool = openDatabase({ ...db.settings, poolSize: 1 }, () => undefined)
    await pool.withSession(async () => {
      await assert.rejects(pool.query('select 1'), (error) => complaintOf(error) !== null)
    })
    await pool.query('select 1')
  })
})
