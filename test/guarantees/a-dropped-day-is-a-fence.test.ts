import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import { addDays, startOfDay } from '../../src/calendar/period.ts'
import { setFence, todayOf } from '../maintenance/maintenance-bench.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { appliedIds, assertEachOnce } from '../support/ledger.ts'
import { eventIds, payment } from '../support/payments.ts'
import { createRunbookTable, markAsRunbook } from '../support/runbook-table.ts'
import { ledgerEffect } from '../support/test-consumer.ts'
import { createTestDatabase } from '../support/test-database.ts'

const HOUR = 3_600_000

/** A group that has recorded ten events of yesterday and ten of today, at noon, and has stopped. */
async function groupOfTwoDays() {
  const bench = await createConsumerBench()
  const today = await todayOf(bench.db.database)
  const yesterday = addDays(today, -1)
  const olds = eventIds('old', 10)
  const news = eventIds('new', 10)
  const noonOf = (day: string): number => startOfDay(day) + 12 * HOUR
  await bench.send(olds.map((id) => payment(id, { timestampMs: noonOf(yesterday) })))
  await bench.send(news.map((id) => payment(id, { timestampMs: noonOf(today) })))
  {
    await using _consumer = await bench.start()
    await bench.committed(20)
  }
  await bench.forgetOffsets()
  const drop = (): Promise<unknown> =>
    bench.db.database.query(`drop table daymark.processed_events_${yesterday.replaceAll('-', '_')}`)
  return { bench, today, yesterday, olds, news, drop, [Symbol.asyncDispose]: bench[Symbol.asyncDispose] }
}

test('the naive way, markers pruned at 3 days, applies what a reset to the earliest record of 7 days brings again', async () => {
  await using db = await createTestDatabase()
  await createRunbookTable(db.database)
  const ages = [0, 1, 2, 4, 5, 6]
  for (const age of ages) assert.ok(await markAsRunbook(db.database, `evt-${age}`, age))
  await db.database.query(
    `delete from runbook.processed_events where processed_at < now() - interval '3 days'`,
  )
  const again: number[] = []
  for (const age of ages) if (await markAsRunbook(db.database, `evt-${age}`)) again.push(age)
  assert.deepEqual(again, [4, 5, 6])
})

for (const [form, handler] of [
  ['a statement', ledgerEffect],
  ['TypeScript', ledgerHandler],
] as const) {
  test(`after a day was dropped a replay from the earliest record applies nothing again, by ${form}`, async () => {
    await using group = await groupOfTwoDays()
    const { bench, olds, news, yesterday } = group
    await setFence(bench.db.database, yesterday)
    await group.drop()
    await using consumer = await bench.start({ handler })
    await bench.committed(20)
    assert.deepEqual(await appliedIds(bench.db.database), [...news, ...olds])
    assert.deepEqual([consumer.told.redelivered, consumer.told.dead], [10, { expired: 10 }])
    const dead = await bench.deadLetters()
    assert.deepEqual(
      dead.map(({ id, reason }) => `${id} ${reason}`),
      olds.map((id) => `${id} expired`),
    )
  })
}

test('between the fence and the detach the day has expired already, whatever its partition still holds', async () => {
  await using group = await groupOfTwoDays()
  const { bench, olds, news, yesterday } = group
  await setFence(bench.db.database, yesterday)
  await bench.send([payment('too-late', { timestampMs: startOfDay(yesterday) + HOUR })])
  await using consumer = await bench.start()
  await bench.committed(21)
  await assertEachOnce(bench.db.database, [...news, ...olds])
  assert.deepEqual([consumer.told.redelivered, consumer.told.dead], [10, { expired: 11 }])
})

test('a fence that is written while a consumer runs holds from its next batch on', async () => {
  await using group = await groupOfTwoDays()
  const { bench, olds, news, yesterday } = group
  await using consumer = await bench.start()
  await bench.committed(20)
  await setFence(bench.db.database, yesterday)
  await group.drop()
  await bench.send([payment('too-late', { timestampMs: startOfDay(yesterday) + HOUR })])
  await bench.committed(21)
  assert.deepEqual(await appliedIds(bench.db.database), [...news, ...olds])
  assert.deepEqual(consumer.told.dead, { expired: 1 })
})

test('where expired events are to be passed they are counted, and leave no dead letter', async () => {
  await using group = await groupOfTwoDays()
  const { bench, olds, news, yesterday } = group
  await setFence(bench.db.database, yesterday)
  await group.drop()
  await using consumer = await bench.start({ settings: { onExpired: 'skip' } })
  await bench.committed(20)
  assert.deepEqual(await appliedIds(bench.db.database), [...news, ...olds])
  assert.deepEqual(consumer.told.dead, { expired: 10 })
  assert.deepEqual(await bench.deadLetters(), [])
})

test('a replay that expires altogether is no sign of a broken handler: nothing waits', async () => {
  await using group = await groupOfTwoDays()
  const { bench, today } = group
  await setFence(bench.db.database, today)
  await using consumer = await bench.start()
  await bench.committed(20)
  assert.deepEqual([consumer.told.dead, consumer.told.waits], [{ expired: 20 }, []])
})

test('an event published again after its day was dropped expires where the day travels in the id', async () => {
  await using bench = await createConsumerBench({ markerDay: 'event-id' })
  const today = await todayOf(bench.db.database)
  const time = (startOfDay(addDays(today, -1)) + HOUR).toString(16).padStart(12, '0')
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7abc-8def-0123456789ab`
  await using consumer = await bench.start()
  await bench.send([payment(id, { timestampMs: startOfDay(today) - HOUR })])
  await bench.committed(1)
  await setFence(bench.db.database, addDays(today, -1))
  await bench.send([payment(id, { timestampMs: startOfDay(today) + HOUR })])
  await bench.committed(2)
  assert.deepEqual(await appliedIds(bench.db.database), [id])
  assert.deepEqual(consumer.told.dead, { expired: 1 })
})
