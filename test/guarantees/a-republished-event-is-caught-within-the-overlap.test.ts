import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import { addDays, startOfDay } from '../../src/calendar/period.ts'
import { setFence, todayOf } from '../maintenance/maintenance-bench.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { appliedIds, assertEachOnce, markedIds } from '../support/ledger.ts'
import { eventIds, payment } from '../support/payments.ts'
import { recordAtOnce } from '../support/record-at-once.ts'
import { ledgerEffect } from '../support/test-consumer.ts'

const MINUTE = 60_000

for (const [form, handler] of [
  ['a statement', ledgerEffect],
  ['TypeScript', ledgerHandler],
] as const) {
  test(`two copies on either side of midnight take effect once, in both orders, by ${form}`, async () => {
    await using bench = await createConsumerBench()
    const midnight = startOfDay(await todayOf(bench.db.database))
    const pairs: [string, number, number][] = [
      ['late-first', -10, 4],
      ['early-first', 4, -10],
      ['just-before', -1 / MINUTE, 14],
      ['at-midnight', 0, -15],
      ['outside-inside', -16, -2],
    ]
    const at = (id: string, minutes: number) => payment(id, { timestampMs: midnight + minutes * MINUTE })
    await using consumer = await bench.start({ handler })
    await bench.send(pairs.map(([id, first]) => at(id, first)))
    await bench.committed(pairs.length)
    await bench.send(pairs.map(([id, , second]) => at(id, second)))
    await bench.committed(2 * pairs.length)
    await bench.send(
      pairs.flatMap(([id, first, second]) => [at(`${id}-batch`, first), at(`${id}-batch`, second)]),
    )
    await bench.committed(4 * pairs.length)
    await assertEachOnce(
      bench.db.database,
      pairs.flatMap(([id]) => [id, `${id}-batch`]),
    )
    assert.deepEqual(
      [consumer.told.processed, consumer.told.republished],
      [2 * pairs.length, 2 * pairs.length],
    )
  })

  test(`two copies that are recorded at the same instant take effect once, by ${form}`, async () => {
    await using bench = await createConsumerBench({ batchRows: 50 })
    const { database } = bench.db
    const midnight = startOfDay(await todayOf(database))
    const ids = eventIds('evt', 500)
    const copies = (minutes: number) =>
      ids.map((id) => payment(id, { timestampMs: midnight + minutes * MINUTE }))
    const deliveries = [copies(-5), copies(6).toReversed(), copies(-9)].map((records, partition) => {
      return { topic: 'payments', partition, records }
    })
    const processed = await recordAtOnce(database, bench.settings, handler, deliveries)
    assert.equal(
      processed.reduce((sum, count) => sum + count),
      ids.length,
    )
    await assertEachOnce(database, ids)
  })

  test(`a copy that is published later than the overlap, on another day, is applied again: the limit, by ${form}`, async () => {
    await using bench = await createConsumerBench()
    const midnight = startOfDay(await todayOf(bench.db.database))
    const at = (id: string, minutes: number) => payment(id, { timestampMs: midnight + minutes * MINUTE })
    await using _consumer = await bench.start({ handler })
    await bench.send([at('evt', -16), at('evt', 16)])
    await bench.committed(2)
    assert.deepEqual(await appliedIds(bench.db.database), ['evt', 'evt'])
    assert.deepEqual(await markedIds(bench.db.database), ['evt', 'evt'])
  })
}

test('the overlap is as long as it is set: 0 catches nothing across midnight, 12 hours catch half a day', async () => {
  const applied: Record<string, number> = {}
  for (const overlapMs of [0, 12 * 60 * MINUTE]) {
    await using bench = await createConsumerBench({ overlapMs })
    const midnight = startOfDay(await todayOf(bench.db.database))
    const at = (minutes: number) => payment('evt', { timestampMs: midnight + minutes * MINUTE })
    await bench.send([at(-1), at(1), at(700)])
    await using _consumer = await bench.start()
    await bench.committed(3)
    applied[overlapMs] = (await appliedIds(bench.db.database)).length
  }
  assert.deepEqual(applied, { 0: 2, [12 * 60 * MINUTE]: 1 })
})

test('where the day travels in the id, a copy is caught whenever it is published', async () => {
  await using bench = await createConsumerBench({ markerDay: 'event-id' })
  const midnight = startOfDay(await todayOf(bench.db.database))
  const time = (midnight - 60 * MINUTE).toString(16).padStart(12, '0')
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7abc-8def-0123456789ab`
  await bench.send(
    [-60, -1, 1, 600].map((minutes) => payment(id, { timestampMs: midnight + minutes * MINUTE })),
  )
  await using _consumer = await bench.start()
  await bench.committed(4)
  await assertEachOnce(bench.db.database, [id])
})

test('where the day before is fenced off, copies just after its midnight still meet each other', async () => {
  await using bench = await createConsumerBench()
  const today = await todayOf(bench.db.database)
  await setFence(bench.db.database, addDays(today, -1))
  const at = (minutes: number) => payment('evt', { timestampMs: startOfDay(today) + minutes * MINUTE })
  await bench.send([at(2), at(5)])
  await using consumer = await bench.start()
  await bench.committed(2)
  await assertEachOnce(bench.db.database, ['evt'])
  assert.deepEqual([consumer.told.republished, consumer.told.dead], [1, {}])
})
