import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import type { Handler, HandlerTransaction } from '../../src/consumer/handler.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { appliedIds, assertEachOnce, markedIds } from '../support/ledger.ts'
import { payment } from '../support/payments.ts'
import { createRunbookTable, markAsRunbook } from '../support/runbook-table.ts'
import { createTestDatabase } from '../support/test-database.ts'

const INSERT = 'insert into ledger_entries (event_id) values ($1)'

/** What careless handlers do; each must leave no effect behind, and set nothing aside. */
const LEAVES: Record<string, (tx: HandlerTransaction, id: string, url: string) => Promise<void>> = {
  async 'commits the transaction'(tx, id) {
    await tx.query(INSERT, [id])
    await tx.query('commit')
  },
  async 'commits and swallows the refusal'(tx, id) {
    await tx.query(INSERT, [id])
    await tx.query('commit; begin').catch(() => undefined)
  },
  async 'rolls it back'(tx, id) {
    await tx.query(INSERT, [id])
    await tx.query('rollback')
  },
  async 'prepares it'(tx, id) {
    await tx.query(INSERT, [id])
    await tx.query(`prepare transaction 'mine'`)
  },
  async 'does not await a query'(tx, id) {
    void tx.query(INSERT, [id])
  },
  async 'writes through a pool of its own'(_tx, id, url) {
    const pool = new pg.Pool({ connectionString: url })
    try {
      await pool.query(INSERT, [id])
    } finally {
      await pool.end()
    }
  },
  async 'writes through a client of its own'(_tx, id, url) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(INSERT, [id])
    await client.end()
  },
}

test('the naive way, an effect through a connection of its own, outlives the marker that is rolled back', async () => {
  await using db = await createTestDatabase()
  await createRunbookTable(db.database)
  const marking = await db.connect()
  const handle = async (end: 'commit' | 'rollback'): Promise<void> => {
    await marking.query('begin')
    if (await markAsRunbook(marking, 'evt-42')) {
      await db.database.query(`insert into runbook.effects values ('evt-42')`)
    }
    await marking.query(end)
  }
  // It dies before its commit, and the event is delivered again.
  await handle('rollback')
  await handle('commit')
  const { rowCount } = await db.database.query('select from runbook.effects')
  assert.equal(rowCount, 2)
})

for (const kind of ['batch', 'each'] as const) {
  describe(`a handler (${kind}) makes its topic partition wait, and leaves nothing behind, where it`, () => {
    for (const [name, leave] of Object.entries(LEAVES)) {
      test(name, async () => {
        await using bench = await createConsumerBench()
        let isMended = false
        const apply = (id: string, tx: HandlerTransaction): Promise<unknown> =>
          isMended ? tx.query(INSERT, [id]) : leave(tx, id, bench.db.settings.url ?? '')
        const handler: Handler =
          kind === 'batch'
            ? {
                kind,
                async apply(events, tx) {
                  for (const { eventId } of events) await apply(eventId, tx)
                },
              }
            : {
                kind,
                async applyEach({ eventId }, tx) {
                  await apply(eventId, tx)
                },
              }
        await bench.send(['a', 'b', 'c'].map((id) => payment(id)))
        await using consumer = await bench.start({ handler })
        await eventually('it to wait', () => consumer.told.waits.length > 0)
        assert.equal(consumer.told.waits[0], 'broken-handler-or-schema')
        const [line] = bench.log.lines.filter(({ sentence }) => sentence === 'a topic partition waits')
        assert.match(String(line?.fields.err), /HandlerLeftTransactionError/)
        assert.deepEqual(await appliedIds(bench.db.database), [])
        assert.deepEqual(await markedIds(bench.db.database), [])
        assert.deepEqual(await bench.deadLetters(), [])
        isMended = true
        await bench.committed(3)
        await assertEachOnce(bench.db.database, ['a', 'b', 'c'])
      })
    }
  })
}

test('a query after the handler has returned is refused, and reaches no later transaction', async () => {
  await using bench = await createConsumerBench()
  const kept: HandlerTransaction[] = []
  const handler: Handler = {
    kind: 'batch',
    async apply(events, tx) {
      for (const { eventId } of events) await tx.query(INSERT, [eventId])
      kept.push(tx)
    },
  }
  await using _consumer = await bench.start({ handler })
  await bench.send([payment('a')])
  await bench.committed(1)
  await assert.rejects(async () => await kept[0]?.query(INSERT, ['late']), {
    name: 'HandlerLeftTransactionError',
  })
  await assertEachOnce(bench.db.database, ['a'])
})

test('a handler that swallows an error of the database applies nothing of its event, which is set aside', async () => {
  await using bench = await createConsumerBench()
  await bench.db.database.query(
    'alter table ledger_entries add constraint ids_are_short check (length(event_id) < 9)',
  )
  const handler: Handler = {
    kind: 'batch',
    async apply(events, tx) {
      for (const { eventId } of events) await tx.query(INSERT, [eventId]).catch(() => undefined)
    },
  }
  const good = ['a', 'b', 'c', 'd']
  await bench.send(['a', 'b', 'much-too-long', 'c', 'd'].map((id) => payment(id)))
  await using consumer = await bench.start({ handler })
  await bench.committed(5)
  assert.deepEqual(await appliedIds(bench.db.database), good)
  assert.deepEqual(
    (await bench.deadLetters()).map(({ id, sqlstate }) => [id, sqlstate]),
    [['much-too-long', '25P02']],
  )
  assert.deepEqual([consumer.told.processed, consumer.told.dead], [4, { handler: 1 }])
})
