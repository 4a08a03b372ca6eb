import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import { replayUntilDone } from '../../src/consumer/replay-until-done.ts'
import { adoptAs } from '../maintenance/adopt-as.ts'
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { appliedIds, markedIds } from '../support/ledger.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { eventIds, payment } from '../support/payments.ts'
import { createRunbookPartitions, createRunbookTable } from '../support/runbook-table.ts'
import { ledgerEffect } from '../support/test-consumer.ts'
import { partsFor } from './set-aside.ts'

const OLD = eventIds('old', 20)
const NEW = eventIds('new', 20)
const ALL = [...NEW, ...OLD].sort()

const FORMS = {
  keyed: {
    create: createRunbookTable,
    columns: `, topic, partition, "offset"`,
    values: `, 'payments', 0, 0`,
  },
  partitioned: { create: createRunbookPartitions, columns: '', values: '' },
}

async function elderIds({ db }: ConsumerBench): Promise<string[]> {
  const { rows } = await db.database.query<{ id: string }>(
    'select event_id as id from runbook.processed_events order by event_id',
  )
  return rows.map(({ id }) => id)
}

/** What an old consumer has applied: a row in its table, and the effect. */
async function applyAsOld(
  bench: ConsumerBench,
  form: keyof typeof FORMS,
  ids: readonly string[],
): Promise<void> {
  const { columns, values } = FORMS[form]
  await bench.db.database.query(
    `with old as (
       insert into runbook.processed_events (consumer_group, event_id${columns})
       select $1::text, id${values} from unnest($2::text[]) as id
       returning event_id
     )
     insert into ledger_entries (event_id) select event_id from old`,
    [bench.settings.group, `{${ids.join(',')}}`],
  )
}

for (const form of ['keyed', 'partitioned'] as const) {
  for (const [name, handler] of [
    ['a statement', ledgerEffect],
    ['TypeScript', ledgerHandler],
  ] as const) {
    test(`what an old consumer has applied is not applied again after its ${form} table was adopted, by ${name}`, async () => {
      await using bench = await createConsumerBench({ partitions: 2 })
      await FORMS[form].create(bench.db.database)
      await applyAsOld(bench, form, OLD)
      assert.deepEqual(await adoptAs(bench.db), ['done'])
      await bench.send([...OLD, ...NEW, ...OLD].map((id, number) => payment(id, { partition: number % 2 })))
      {
        await using consumer = await bench.start({ handler })
        await bench.committed(60)
        assert.equal(consumer.told.processed, 20)
      }
      assert.deepEqual(await appliedIds(bench.db.database), ALL)
      // What the elder knew is marked too, so that the elder can go.
      assert.deepEqual(await markedIds(bench.db.database), ALL)
      assert.deepEqual(await elderIds(bench), form === 'keyed' ? ALL : OLD)
      await bench.forgetOffsets()
      await using consumer = await bench.start({ handler })
      await bench.committed(60)
      assert.equal(consumer.told.processed, 0)
      assert.deepEqual(await appliedIds(bench.db.database), ALL)
    })
  }
}

describe('beside an adopted table', () => {
  test('an old consumer that still runs and one of daymark’s apply an event once, whoever comes first', async () => {
    await using bench = await createConsumerBench()
    const { database } = bench.db
    await createRunbookTable(database)
    await adoptAs(bench.db)
    // The old one is at it, and has not committed: the batch waits for it.
    const old = await bench.db.connect()
    await old.query('begin')
    const insert = `insert into runbook.processed_events (consumer_group, event_id, topic, partition, "offset")
                    values ($1::text, $2::text, 'payments', 0, 0)`
    await old.query(insert, [bench.settings.group, 'old-first'])
    await old.query(`insert into ledger_entries (event_id) values ('old-first')`)
    await using _consumer = await bench.start({ handler: ledgerHandler })
    await bench.send(['ours-first', 'old-first'].map((id) => payment(id)))
    await eventually('the batch to wait', async () => (await lockWaits(bench.db)) === 1)
    await old.query('commit')
    await bench.committed(2)
    await assert.rejects(old.query(insert, [bench.settings.group, 'ours-first']), { code: '23505' })
    assert.deepEqual(await appliedIds(database), ['old-first', 'ours-first'])
  })

  test('a consumer that runs takes the adoption on with its next batch', async () => {
    await using bench = await createConsumerBench()
    await createRunbookTable(bench.db.database)
    await using _consumer = await bench.start()
    await bench.send([payment('before')])
    await bench.committed(1)
    await applyAsOld(bench, 'keyed', OLD)
    await adoptAs(bench.db)
    await bench.send(OLD.map((id) => payment(id)))
    await bench.committed(21)
    assert.deepEqual(await appliedIds(bench.db.database), ['before', ...OLD])
  })

  test('a dead letter that is replayed under an id that an old consumer has applied is a duplicate', async () => {
    await using bench = await createConsumerBench()
    await createRunbookTable(bench.db.database)
    await applyAsOld(bench, 'keyed', ['known'])
    await adoptAs(bench.db)
    // Without an id it could not be asked after; with one, it is known.
    await bench.send([{ ...payment('known'), headers: {} }])
    await using _consumer = await bench.start({ handler: ledgerHandler })
    await bench.committed(1)
    const { rows } = await bench.db.database.query<{ id: string }>('select id from daymark.dead_letters')
    const parts = await partsFor(bench, bench.settings, ledgerHandler)
    const given = { eventId: 'known', mayHaveBeenApplied: false }
    assert.deepEqual(await replayUntilDone(parts, rows[0]?.id ?? '', given), { outcome: 'duplicate' })
    assert.deepEqual(await appliedIds(bench.db.database), ['known'])
  })

  test('ids that have their topic in front of them wait loudly: no elder knows such', async () => {
    await using bench = await createConsumerBench({ idScope: 'topic' })
    await createRunbookTable(bench.db.database)
    await adoptAs(bench.db)
    await bench.send([payment('evt')])
    await using consumer = await bench.start()
    await eventually('it to wait', () => consumer.told.waits.length > 0)
    assert.deepEqual(await appliedIds(bench.db.database), [])
  })

  test('a table that somebody has dropped by hand makes every batch wait, loudly, and sets nothing aside', async () => {
    await using bench = await createConsumerBench()
    await createRunbookTable(bench.db.database)
    await adoptAs(bench.db)
    await bench.db.database.query('drop table runbook.processed_events')
    await bench.send([payment('evt')])
    await using consumer = await bench.start()
    await eventually('it to wait', () => consumer.told.waits.length > 0)
    assert.deepEqual([await appliedIds(bench.db.database), await bench.deadLetters()], [[], []])
    await bench.db.database.query('delete from daymark.elders')
    await bench.committed(1)
    assert.deepEqual(await appliedIds(bench.db.database), ['evt'])
  })
})
