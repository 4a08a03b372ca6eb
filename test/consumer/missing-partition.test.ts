import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, startOfDay } from '../../src/calendar/period.ts'
import { todayOf } from '../maintenance/maintenance-bench.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { eventually } from '../support/eventually.ts'
import { FORMS } from '../support/forms.ts'
import { appliedIds, assertEachOnce, eventuallyApplied } from '../support/ledger.ts'
import { payment } from '../support/payments.ts'

const HOUR = 3_600_000

for (const [form, handler] of FORMS) {
  test(`a day without a partition makes its topic partition wait and asks for a run; others go on, and so does it: ${form}`, async () => {
    await using bench = await createConsumerBench({ partitions: 2 })
    const { database } = bench.db
    const today = await todayOf(database)
    const day = addDays(today, -1)
    const name = `daymark.processed_events_${day.replaceAll('-', '_')}`
    await database.query(`drop table ${name}`)
    const requests: string[] = []
    const requestRun = async (reason: string): Promise<void> => {
      requests.push(reason)
    }
    const at = (id: string, partition: number, of: string) =>
      payment(id, { partition, timestampMs: startOfDay(of) + 12 * HOUR })
    await using consumer = await bench.start({ handler, requestRun })
    await bench.send([
      at('before', 0, today),
      at('missing', 0, day),
      at('after', 0, today),
      at('other', 1, today),
    ])
    await eventually('two waits', () => consumer.told.waits.length >= 2)
    await bench.send([at('another', 1, today)])
    await eventuallyApplied(database, 2)
    assert.deepEqual(await appliedIds(database), ['another', 'other'])
    assert.deepEqual(await bench.deadLetters(), [])
    assert.equal(consumer.snapshot().partitions[0]?.waitingFor, 'missing-partition')
    assert.ok(requests.length >= 2 && requests.every((reason) => reason === 'missing-partition'))

    await database.query(
      `create table ${name} partition of daymark.processed_events for values from ('${day}') to ('${today}')`,
    )
    await bench.committed(5)
    await assertEachOnce(database, ['before', 'missing', 'after', 'other', 'another'])
    assert.equal(consumer.snapshot().partitions[0]?.waitingFor, null)
  })
}

test('a check of the effect table that fails beside a missing partition is told from it', async () => {
  await using bench = await createConsumerBench()
  const { database } = bench.db
  const today = await todayOf(database)
  const day = addDays(today, 3)
  await database.query(`drop table daymark.processed_events_${day.replaceAll('-', '_')}`)
  await database.query(
    'alter table ledger_entries add constraint amounts_are_positive check (amount_cents > 0)',
  )
  await using consumer = await bench.start({ settings: { retryWaitMs: 60_000, runwayDays: 7 } })
  const noon = startOfDay(today) + 12 * HOUR
  await bench.send([
    payment('good', { timestampMs: noon }),
    payment('bad', { timestampMs: noon, amountCents: -1 }),
  ])
  await bench.committed(2)
  assert.deepEqual(
    (await bench.deadLetters()).map(({ id, sqlstate }) => [id, sqlstate]),
    [['bad', '23514']],
  )
  assert.deepEqual(consumer.told.waits, [])
})

test('an event beyond the window is a dead letter, and holds nothing up', async () => {
  await using bench = await createConsumerBench({ runwayDays: 1 })
  const today = await todayOf(bench.db.database)
  const noonIn = (days: number): number => startOfDay(addDays(today, days)) + 12 * HOUR
  await using consumer = await bench.start()
  await bench.send([
    payment('beyond', { timestampMs: noonIn(2) }),
    payment('tomorrow', { timestampMs: noonIn(1) }),
    payment('today', { timestampMs: noonIn(0) }),
  ])
  await bench.committed(3)
  assert.deepEqual([consumer.told.dead, consumer.told.waits], [{ future: 1 }, []])
  await assertEachOnce(bench.db.database, ['today', 'tomorrow'])
})
