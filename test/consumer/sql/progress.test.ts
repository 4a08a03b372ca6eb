import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findProgress, type ProgressRow } from '../../../src/consumer/sql/find-progress.ts'
import { setProgress } from '../../../src/consumer/sql/set-progress.ts'
import { writeProgress } from '../../../src/consumer/sql/write-progress.ts'
import { newGroup } from '../../support/test-consumer.ts'
import { createTestDatabase } from '../../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())

const AUGUST = Date.UTC(2026, 7, 1, 12, 0, 0, 250)

async function progressOf(group: string): Promise<ProgressRow> {
  const [row] = await findProgress(db.database, group)
  assert.ok(row)
  return row
}

function set(group: string, nextOffset: string, lost = 0): Promise<void> {
  return setProgress(db.database, { group, topic: 'payments', partition: 0, nextOffset, lost })
}

function write(group: string, nextOffset: string, recordTimestampMs = AUGUST): Promise<void> {
  return writeProgress(db.database, { group, topic: 'payments', partition: 0, nextOffset, recordTimestampMs })
}

test('progress that is written never goes back, and its timestamp stays with it', async () => {
  const group = newGroup()
  await set(group, '10')
  await write(group, '20')
  assert.equal((await progressOf(group)).nextOffset, '20')
  assert.equal((await progressOf(group)).recordTimestampMs, AUGUST)
  await write(group, '15', AUGUST + 60_000)
  await write(group, '20', AUGUST + 60_000)
  assert.equal((await progressOf(group)).nextOffset, '20')
  assert.equal((await progressOf(group)).recordTimestampMs, AUGUST)
  await write(group, '9007199254740993', AUGUST + 60_000)
  assert.equal((await progressOf(group)).nextOffset, '9007199254740993')
  assert.equal((await progressOf(group)).recordTimestampMs, AUGUST + 60_000)
})

test('a timestamp that is none, or that no calendar has, keeps the one before', async () => {
  const group = newGroup()
  await set(group, '0')
  await write(group, '1')
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 63, -(2 ** 63)]
  for (const [index, timestampMs] of odd.entries()) await write(group, String(2 + index), timestampMs)
  const { nextOffset, recordTimestampMs } = await progressOf(group)
  assert.deepEqual([nextOffset, recordTimestampMs], [String(1 + odd.length), AUGUST])
})

test('writing progress without a row writes none: only the look at an assignment makes one', async () => {
  const group = newGroup()
  await write(group, '5')
  assert.deepEqual(await findProgress(db.database, group), [])
})

test('progress that is set goes where it is told, also back, and lost records add up', async () => {
  const group = newGroup()
  await set(group, '50', 3)
  await set(group, '20', 4)
  const { nextOffset, lostRecords } = await progressOf(group)
  assert.deepEqual([nextOffset, lostRecords], ['20', '7'])
})

test('a floor stays while progress is set at it or above, and goes when the topic was made anew', async () => {
  const group = newGroup()
  await set(group, '50')
  await db.database.query('update daymark.consumer_progress set floor = 40 where consumer_group = $1::text', [
    group,
  ])
  await set(group, '60')
  assert.equal((await progressOf(group)).floor, '40')
  await set(group, '40')
  assert.equal((await progressOf(group)).floor, '40')
  await set(group, '0')
  assert.equal((await progressOf(group)).floor, null)
})

test('progress is found for the whole group, in order, and for no other group', async () => {
  const group = newGroup()
  const places: [string, number][] = [
    ['payments', 10],
    ['payments', 2],
    ['accounts', 0],
  ]
  for (const [topic, partition] of places) {
    await setProgress(db.database, { group, topic, partition, nextOffset: '1', lost: 0 })
  }
  const found = await findProgress(db.database, group)
  assert.deepEqual(
    found.map(({ topic, partition }) => `${topic}/${partition}`),
    ['accounts/0', 'payments/2', 'payments/10'],
  )
  assert.ok(found.every(({ updatedAtMs }) => Math.abs(updatedAtMs - Date.now()) < 3_600_000))
  assert.deepEqual(await findProgress(db.database, newGroup()), [])
})
