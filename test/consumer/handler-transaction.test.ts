import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { applyHandler } from '../../src/consumer/apply-effects.ts'
import type { HandlerTransaction } from '../../src/consumer/handler.ts'
import { openHandlerTransaction } from '../../src/consumer/handler-transaction.ts'
import type { Session } from '../../src/postgres/session.ts'
import { begin } from '../../src/postgres/transaction.ts'
import { createTestDatabase } from '../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())
await db.database.query('create table notes (text text primary key)')

const LEFT = { name: 'HandlerLeftTransactionError' }

/** Runs work with the transaction of a handler, which is rolled back; answers whether it was still the same one. */
async function inHandler(
  work: (tx: HandlerTransaction, close: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  return await db.database.withSession(async (session) => {
    await begin(session)
    const before = await transactionOf(session)
    const { tx, close } = openHandlerTransaction(session)
    try {
      await work(tx, close)
      return (await transactionOf(session)) === before
    } finally {
      await session.query('rollback')
    }
  })
}

async function transactionOf(session: Session): Promise<string | undefined> {
  const { rows } = await session.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return rows[0]?.id
}

describe('transaction control is refused before it is sent, written as', () => {
  const spellings = [
    'commit',
    'COMMIT',
    ' \n\tCommit work',
    'commit and chain',
    'end',
    'END TRANSACTION',
    'rollback',
    'rollback and chain',
    'ROLLBACK WORK',
    'abort',
    'begin',
    'begin isolation level serializable',
    'start transaction',
    'START\n  TRANSACTION read only',
    "prepare transaction 'x'",
    "commit prepared 'x'",
    "rollback prepared 'x'",
    '-- a comment\ncommit',
    '-- a comment; -- another\n  commit',
    '/* a comment */commit',
    '/* a /* nested */ comment */ rollback',
    ';commit',
    ' ; ; commit',
    'select 1; commit',
    "insert into notes values ('a;b'); commit; begin",
    "select ';'; /* ; */ rollback",
    'rollback/**/work',
    'commit;',
  ]
  for (const text of spellings) {
    test(JSON.stringify(text), async () => {
      const isSame = await inHandler(async (tx) => {
        await assert.rejects(tx.query(text), LEFT)
      })
      assert.equal(isSame, true)
    })
  }
})

test('a handler that catches the refusal is told all the same when it returns', async () => {
  await inHandler(async (tx, close) => {
    await tx.query('commit').catch(() => undefined)
    await assert.rejects(close(), { ...LEFT, message: /"commit" would end the transaction/ })
  })
})

test('a refused query that nobody awaits does not end the process, and is told when the handler returns', async () => {
  await inHandler(async (tx, close) => {
    void tx.query('commit')
    await setImmediate()
    await assert.rejects(close(), LEFT)
  })
})

describe('what stays inside the transaction is allowed:', () => {
  const statements = [
    [
      'savepoint own',
      'insert into notes values ($$a$$)',
      'rollback to savepoint own',
      'release savepoint own',
    ],
    ['savepoint own', 'ROLLBACK TO own'],
    ['savepoint own', 'rollback work to savepoint own'],
    ['savepoint own', 'rollback transaction to own'],
    ['set local statement_timeout = 1000'],
    ['set constraints all immediate'],
    [
      "select 'commit'",
      'select 1 -- commit',
      'select $$; commit$$',
      'select 1 as "commit"',
      "select '; commit'",
    ],
    ['select case when true then 1 end', 'select 1 as begin, 2 as start'],
    ['prepare own as select 1', 'deallocate own'],
    ['do $$ begin perform 1; end $$'],
    ['select 1; select 2'],
  ]
  for (const texts of statements) {
    test(texts.join(' · '), async () => {
      const isSame = await inHandler(async (tx, close) => {
        for (const text of texts) await tx.query(text)
        await close()
      })
      assert.equal(isSame, true)
    })
  }
})

test('a block that would end the transaction from inside is refused by PostgreSQL', async () => {
  const isSame = await inHandler(async (tx) => {
    await tx.query('savepoint own')
    await assert.rejects(tx.query('do $$ begin commit; end $$'), { code: '2D000' })
    await tx.query('rollback to own')
  })
  assert.equal(isSame, true)
})

test('what is no text is refused, as it could hold anything', async () => {
  await inHandler(async (tx) => {
    const query = tx.query as (statement: unknown) => Promise<unknown>
    await assert.rejects(query({ text: 'commit' }), {
      name: 'TypeError',
      message: /expected the text of a statement, got object/,
    })
  })
})

test('a query after the handler has returned is refused', async () => {
  await inHandler(async (tx, close) => {
    await close()
    await assert.rejects(tx.query('select 1'), { ...LEFT, message: /has returned already/ })
  })
})

test('a query that is not awaited is waited for, and told when the handler returns', async () => {
  await inHandler(async (tx, close) => {
    void tx.query("insert into notes values ('a')")
    void tx.query('select pg_sleep(0.05)')
    await assert.rejects(close(), { ...LEFT, message: /2 of its queries had not been awaited/ })
    assert.equal((await db.database.query('select from notes')).rows.length, 0)
  })
})

test('a query that fails without being awaited does not end the process', async () => {
  const failing = inHandler(async (tx, close) => {
    void tx.query('select 1 / 0')
    await assert.rejects(close(), LEFT)
  })
  await assert.rejects(failing, { code: '25P02' })
})

describe('a handler', () => {
  const run = (handler: Parameters<typeof applyHandler>[1]): Promise<void> =>
    db.database.withSession(async (session) => {
      await begin(session)
      try {
        await applyHandler(session, handler, [{} as never, {} as never])
      } finally {
        await session.query('rollback')
      }
    })

  test('that fails is heard with its own error, not with that of the query it forgot', async () => {
    const forgetful = async (_: unknown, tx: HandlerTransaction): Promise<void> => {
      void tx.query('select pg_sleep(0.05)')
      throw new RangeError('its own')
    }
    await assert.rejects(run({ kind: 'batch', apply: forgetful }), { name: 'RangeError' })
    await assert.rejects(run({ kind: 'each', applyEach: forgetful }), { name: 'RangeError' })
  })

  test('that throws at once, without a promise, is heard too', async () => {
    const abrupt = (): never => {
      throw new RangeError('at once')
    }
    await assert.rejects(run({ kind: 'batch', apply: abrupt }), { name: 'RangeError' })
  })

  test('that uses a pool of its own is refused, and goes on through tx', async () => {
    const elsewhere = async (): Promise<void> => {
      await db.database.query('select 1')
    }
    await assert.rejects(run({ kind: 'each', applyEach: elsewhere }), { ...LEFT, message: /pool\.query/ })
    await run({ kind: 'each', applyEach: async (_, tx) => void (await tx.query('select 1')) })
  })
})
