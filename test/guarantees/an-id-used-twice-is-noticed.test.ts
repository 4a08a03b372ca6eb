import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handler as ledgerHandler } from '../../examples/payments/handler.ts'
import { createConsumerBench } from '../support/consumer-bench.ts'
import { appliedIds, markedIds } from '../support/ledger.ts'
import { payment } from '../support/payments.ts'
import { ledgerEffect } from '../support/test-consumer.ts'

const NOON = Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`)

function of(eventId: string, amountCents: number, partition = 0) {
  return payment(eventId, { amountCents, partition, timestampMs: NOON })
}

for (const [form, handler] of [
  ['a statement', ledgerEffect],
  ['TypeScript', ledgerHandler],
] as const) {
  test(`another event under an id that was used is set aside, with the position of the first, by ${form}`, async () => {
    await using bench = await createConsumerBench({ partitions: 2 })
    await using consumer = await bench.start({ handler })
    await bench.send([of('a', 1), of('a', 2), of('a', 1), of('b', 1)])
    await bench.committed(4)
    await bench.send([of('b', 2)])
    await bench.committed(5)
    await bench.send([of('b', 3, 1), of('c', 1, 1)])
    await bench.committed(7)
    assert.deepEqual(await appliedIds(bench.db.database), ['a', 'b', 'c'])
    assert.deepEqual(await markedIds(bench.db.database), ['a', 'b', 'c'])
    assert.deepEqual(
      [consumer.told.processed, consumer.told.republished, consumer.told.dead],
      [3, 1, { 'id-reused': 3 }],
    )
    const dead = await bench.deadLetters()
    assert.deepEqual(
      dead.map(({ id, reason, error }) => [id, reason, /by \S+\[\d\]@\d+/.exec(error)?.[0]]),
      [
        ['a', 'id-reused', `by ${bench.topic}[0]@0`],
        ['b', 'id-reused', `by ${bench.topic}[0]@3`],
        ['b', 'id-reused', `by ${bench.topic}[0]@3`],
      ],
    )
  })
}

test('a tombstone under the id of a value is another event, and so is a value under the id of a tombstone', async () => {
  await using bench = await createConsumerBench()
  const tombstone = (eventId: string) => ({ ...of(eventId, 1), value: null })
  const handler = { kind: 'batch', apply: async () => undefined } as const
  await using consumer = await bench.start({ handler })
  await bench.send([of('a', 1), tombstone('a'), tombstone('b'), of('b', 1), tombstone('b')])
  await bench.committed(5)
  assert.deepEqual(
    [consumer.told.processed, consumer.told.republished, consumer.told.dead],
    [2, 1, { 'id-reused': 2 }],
  )
})

test('an id that was used twice is set aside once, however often its record is delivered', async () => {
  await using bench = await createConsumerBench()
  await bench.send([of('a', 1), of('a', 2)])
  for (const times of [1, 2]) {
    await using consumer = await bench.start()
    await bench.committed(2)
    assert.deepEqual(consumer.told.dead, { 'id-reused': 1 }, `delivery ${times}`)
    await consumer.stop()
    await bench.forgetOffsets()
  }
  assert.equal((await bench.deadLetters()).length, 1)
  assert.deepEqual(await appliedIds(bench.db.database), ['a'])
})
