import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { seededRandom } from '../../examples/payments/seeded-random.ts'
import type { Handler } from '../../src/consumer/handler.ts'
import type { RecordToSend } from '../../src/kafka/kafka-producer.ts'
import type { Queryable } from '../../src/postgres/queryable.ts'
import { brokenRecords, REFUSALS } from '../support/bad-events.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { FORMS } from '../support/forms.ts'
import { appliedIds, eventuallyApplied, markedIds } from '../support/ledger.ts'
import { eventIds, payment } from '../support/payments.ts'

/** The ids of the ledger in the order in which they were written. */
async function idsInOrder(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select event_id as id from ledger_entries order by position',
  )
  return rows.map(({ id }) => id)
}

async function keepOrder(db: Queryable): Promise<void> {
  await db.query('alter table ledger_entries add column position bigint generated always as identity')
}

for (const [form, handler] of FORMS) {
  describe(`with ${form}`, () => {
    for (const [refusal, { sql, bad, sqlstate }] of Object.entries(REFUSALS)) {
      test(`an event that ${refusal} is set aside alone, one of 2,000 and ten of 2,000`, async () => {
        const random = seededRandom(42)
        await using bench = await createConsumerBench()
        await keepOrder(bench.db.database)
        await bench.db.database.query(sql)
        const ids = eventIds('evt', 4_000)
        const bads = new Set([
          Math.floor(random() * 2_000),
          ...Array.from({ length: 10 }, () => 2_000 + Math.floor(random() * 2_000)),
        ])
        const records = ids.map((id, number) => (bads.has(number) ? bad(id) : payment(id)))
        await bench.send(records.slice(0, 2_000))
        await bench.send(records.slice(2_000))
        await using consumer = await bench.start({ handler })
        await bench.committed(4_000)
        assert.deepEqual(
          await idsInOrder(bench.db.database),
          ids.filter((_, number) => !bads.has(number)),
        )
        assert.deepEqual(await markedIds(bench.db.database), ids)
        const dead = await bench.deadLetters()
        assert.deepEqual(
          dead.map(({ id, reason, sqlstate: code }) => [id, reason, code]),
          ids.filter((_, number) => bads.has(number)).map((id) => [id, 'handler', sqlstate]),
        )
        assert.deepEqual(consumer.told.waits, [])
      })
    }

    test('records that carry no event, or no value that can be read, are set aside among good ones', async () => {
      await using bench = await createConsumerBench()
      const ids = eventIds('evt', 300)
      await bench.send(ids.slice(0, 150).map((id) => payment(id)))
      await bench.send(brokenRecords())
      await bench.send(ids.slice(150).map((id) => payment(id)))
      await using consumer = await bench.start({ handler })
      await bench.committed(300 + brokenRecords().length)
      assert.deepEqual(await appliedIds(bench.db.database), ids)
      assert.deepEqual(
        (await bench.deadLetters()).map(({ id, reason }) => [id, reason]),
        [
          [null, 'bad-id'],
          [null, 'bad-id'],
          [null, 'bad-id'],
          [null, 'bad-id'],
          [null, 'bad-id'],
          ['not-json', 'undecodable'],
          ['not-utf8', 'undecodable'],
          ['empty', 'undecodable'],
          ['key-not-utf8', 'undecodable'],
        ],
      )
      assert.deepEqual(consumer.told.waits, [])
    })

    test('a table that is missing makes its topic partition wait, and nothing is set aside', async () => {
      await using bench = await createConsumerBench()
      const ids = eventIds('evt', 50)
      await using consumer = await bench.start({ handler })
      await bench.db.database.query('alter table ledger_entries rename to elsewhere')
      await bench.send(ids.map((id) => payment(id)))
      await eventually('several tries', () => consumer.told.waits.length >= 2)
      assert.equal(consumer.snapshot().partitions[0]?.waitingFor, 'broken-handler-or-schema')
      assert.deepEqual(await bench.deadLetters(), [])
      assert.deepEqual(await markedIds(bench.db.database), [])
      await bench.db.database.query('alter table elsewhere rename to ledger_entries')
      await bench.committed(50)
      assert.deepEqual(await appliedIds(bench.db.database), ids)
    })
  })
}

test('texts that PostgreSQL cannot hold are set aside alone: NUL in JSON, and lone surrogates in a statement', async () => {
  for (const [form, handler] of FORMS) {
    await using bench = await createConsumerBench()
    const ids = eventIds('evt', 100)
    const text = (id: string, account: string): RecordToSend => ({
      ...payment(id),
      value: `{"account": "${account}", "amountCents": 1}`,
    })
    await bench.send([...ids.map((id) => payment(id)), text('nul', 'a\\u0000b')])
    await bench.send([text('surrogate', '\\ud800'), payment('last')])
    await using _consumer = await bench.start({ handler })
    await bench.committed(103)
    const isSql = handler.kind === 'sql'
    const dead = isSql ? ['nul', 'surrogate'] : ['nul']
    assert.deepEqual(
      (await bench.deadLetters()).map(({ id }) => id),
      dead,
      form,
    )
    const applied = isSql ? [...ids, 'last'] : [...ids, 'last', 'surrogate']
    assert.deepEqual(await appliedIds(bench.db.database), applied)
  }
})

test('whatever a handler throws is of the event that it throws for', async () => {
  const thrown: unknown[] = [
    new TypeError('of the handler'),
    'a text',
    null,
    undefined,
    42,
    { code: '23505' },
  ]
  const ids = eventIds('evt', 200)
  await using bench = await createConsumerBench()
  const handler: Handler = {
    kind: 'each',
    async applyEach({ eventId }, tx) {
      await tx.query('insert into ledger_entries (event_id) values ($1)', [eventId])
      const number = ids.indexOf(eventId) / 30
      if (Number.isInteger(number) && number < thrown.length) throw thrown[number]
    },
  }
  await bench.send(ids.map((id) => payment(id)))
  await using _consumer = await bench.start({ handler, settings: { deadLetterLimit: 0.2 } })
  await bench.committed(200)
  const bad = thrown.map((_, number) => ids[number * 30])
  assert.deepEqual(
    (await bench.deadLetters()).map(({ id }) => id),
    bad,
  )
  assert.deepEqual(
    await appliedIds(bench.db.database),
    ids.filter((id) => !bad.includes(id)),
  )
})

test('a tombstone reaches the handler as null', async () => {
  await using bench = await createConsumerBench()
  const values: unknown[] = []
  const handler: Handler = {
    kind: 'batch',
    async apply(events) {
      values.push(...events.map(({ value, key }) => [key, value]))
    },
  }
  await bench.send([
    { ...payment('gone'), value: null },
    { ...payment('keyless'), key: null, value: '0' },
  ])
  await using _consumer = await bench.start({ handler })
  await bench.committed(2)
  assert.deepEqual(values, [
    ['acct_7', null],
    [null, 0],
  ])
})

for (const [form, inner] of FORMS.filter(([, { kind }]) => kind !== 'sql')) {
  test(`a handler that fails for every event sets nothing aside, others go on, and so does it once mended: ${form}`, async () => {
    await using bench = await createConsumerBench({ partitions: 2 })
    const ids = eventIds('evt', 40)
    let isBroken = true
    const check = (partition: number | undefined): void => {
      if (isBroken && partition === 0) throw new Error('broken')
    }
    const handler: Handler =
      inner.kind === 'batch'
        ? {
            kind: 'batch',
            async apply(events, tx) {
              check(events[0]?.partition)
              await inner.apply(events, tx)
            },
          }
        : {
            kind: 'each',
            async applyEach(event, tx) {
              check(event.partition)
              if (inner.kind === 'each') await inner.applyEach(event, tx)
            },
          }
    await bench.send(ids.map((id, number) => payment(id, { partition: number % 2 })))
    await using consumer = await bench.start({ handler })
    await eventuallyApplied(bench.db.database, 20)
    await eventually('several tries', () => consumer.told.waits.length >= 2)
    assert.deepEqual(
      await markedIds(bench.db.database),
      ids.filter((_, number) => number % 2 === 1),
    )
    assert.deepEqual(await bench.deadLetters(), [])
    isBroken = false
    await bench.committed(40)
    assert.deepEqual(await appliedIds(bench.db.database), ids)
    await eventually('both to be read', () =>
      consumer.snapshot().partitions.every(({ state, lag }) => state === 'reading' && lag === 0),
    )
  })
}
