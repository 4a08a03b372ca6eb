import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { MarkerKey } from '../../../src/consumer/outcomes.ts'
import { deleteMarkers } from '../../../src/consumer/sql/delete-markers.ts'
import { findMarkers } from '../../../src/consumer/sql/find-markers.ts'
import { insertMarkers } from '../../../src/consumer/sql/insert-markers.ts'
import type { Queryable } from '../../../src/postgres/queryable.ts'
import { begin, commit } from '../../../src/postgres/transaction.ts'
import { eventually } from '../../support/eventually.ts'
import { newGroup } from '../../support/test-consumer.ts'
import { createTestDatabase } from '../../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())
const days = await makeDays('2001-01-01', 40)
const [first = '', second = ''] = days

function insert(
  tx: Queryable,
  group: string,
  keys: readonly MarkerKey[],
  offset = '7',
): Promise<MarkerKey[]> {
  return insertMarkers(tx, group, 'payments', 3, {
    eventIds: keys.map(({ eventId }) => eventId),
    markerDays: keys.map(({ markerDay }) => markerDay),
    offsets: keys.map(() => offset),
    valueCrc32s: keys.map((_, index) => (index % 2 === 0 ? -5 : null)),
    overlaps: keys.map(() => false),
  })
}

describe('inserting markers', () => {
  test('answers nothing where all are new', async () => {
    const keys = [
      { eventId: 'a', markerDay: first },
      { eventId: 'a', markerDay: second },
    ]
    assert.deepEqual(await insert(db.database, newGroup(), keys), [])
  })

  test('answers the keys that were there, and inserts the others', async () => {
    const group = newGroup()
    const [a, b, c] = ['a', 'b', 'c'].map((eventId) => ({ eventId, markerDay: first }))
    assert.ok(a && b && c)
    await insert(db.database, group, [b])
    assert.deepEqual(await insert(db.database, group, [a, b, c]), [b])
    assert.equal((await findMarkers(db.database, group, [a, b, c])).length, 3)
  })

  test('takes the same id in another group, or on another day, for new', async () => {
    const key = { eventId: 'a', markerDay: first }
    const group = newGroup()
    await insert(db.database, group, [key])
    assert.deepEqual(await insert(db.database, newGroup(), [key]), [])
    assert.deepEqual(await insert(db.database, group, [{ ...key, markerDay: second }]), [])
  })

  test('meets rows that another transaction commits while it waits for them, and finds them afterwards', async () => {
    const group = newGroup()
    const key = { eventId: 'a', markerDay: first }
    const [ahead, behind] = [await db.connect(), await db.connect()]
    await begin(ahead)
    await insert(ahead, group, [key], '1')
    await begin(behind)
    const waiting = insert(behind, group, [key, { eventId: 'b', markerDay: first }], '2')
    await eventually('the second insert to wait', () => isWaiting(behind.pid))
    await commit(ahead)
    assert.deepEqual(await waiting, [key])
    assert.equal((await findMarkers(behind, group, [key]))[0]?.offset, '1')
    await commit(behind)
  })

  test('takes for new what another transaction held and rolled back', async () => {
    const group = newGroup()
    const key = { eventId: 'a', markerDay: first }
    const [ahead, behind] = [await db.connect(), await db.connect()]
    await begin(ahead)
    await insert(ahead, group, [key])
    const waiting = insert(behind, group, [key])
    await eventually('the second insert to wait', () => isWaiting(behind.pid))
    await ahead.query('rollback')
    assert.deepEqual(await waiting, [])
  })

  test('carries any id that may be one, and more of them than a statement has parameters', async () => {
    const odd = ['"', '\\', '{a,b}', "o'clock", 'null', '€', ' ', '🂡', 'a\nb', 'x'.repeat(255)]
    const keys = odd.map((eventId) => ({ eventId, markerDay: first }))
    const group = newGroup()
    assert.deepEqual(await insert(db.database, group, keys), [])
    assert.deepEqual(await insert(db.database, group, keys), keys)
    const many = Array.from({ length: 70_000 }, (_, number) => ({
      eventId: `evt-${number}`,
      markerDay: first,
    }))
    assert.deepEqual(await insert(db.database, group, many), [])
  })
})

describe('finding markers', () => {
  test('answers what stands under the keys, each with its day and place as text', async () => {
    const group = newGroup()
    const keys = [
      { eventId: 'a', markerDay: first },
      { eventId: 'b', markerDay: second },
    ]
    await insert(db.database, group, keys, '9007199254740993')
    const crossed = [...keys, { eventId: 'a', markerDay: second }, { eventId: 'c', markerDay: first }]
    const found = await findMarkers(db.database, group, crossed)
    const place = { topic: 'payments', partition: 3, offset: '9007199254740993' }
    assert.deepEqual(
      found.sort((a, b) => (a.eventId < b.eventId ? -1 : 1)),
      [
        { eventId: 'a', markerDay: first, ...place, valueCrc32: -5 },
        { eventId: 'b', markerDay: second, ...place, valueCrc32: null },
      ],
    )
  })

  for (const [name, statement] of Object.entries({ find: findMarkers, delete: deleteMarkers })) {
    test(`locks only the partitions of its days (${name})`, async () => {
      const session = await db.connect()
      const keys = Array.from({ length: 100 }, (_, n) => ({
        eventId: `evt-${n}`,
        markerDay: n % 2 ? first : second,
      }))
      await begin(session)
      await statement(session, newGroup(), keys)
      assert.deepEqual(await lockedPartitions(session.pid), [partitionOf(first), partitionOf(second)])
      await session.query('rollback')
    })
  }
})

test('deleting takes back the markers of its keys, and no others', async () => {
  const group = newGroup()
  const [a, b, c] = ['a', 'b', 'c'].map((eventId) => ({ eventId, markerDay: first }))
  assert.ok(a && b && c)
  const later = { eventId: 'a', markerDay: second }
  await insert(db.database, group, [a, b, c, later])
  await insert(db.database, 'another-group', [a])
  await deleteMarkers(db.database, group, [a, c])
  const left = await findMarkers(db.database, group, [a, b, c, later])
  assert.deepEqual(
    left.map(({ eventId, markerDay }) => ({ eventId, markerDay })),
    [b, later],
  )
  assert.equal((await findMarkers(db.database, 'another-group', [a])).length, 1)
})

/** A runway of days of its own, beside the one that the migration makes. */
async function makeDays(from: string, count: number): Promise<string[]> {
  const { rows } = await db.database.query<{ day: string; until: string }>(
    `select to_char($1::date + n, 'YYYY-MM-DD') as day, to_char($1::date + n + 1, 'YYYY-MM-DD') as until
       from generate_series(0, $2::integer - 1) n`,
    [from, count],
  )
  for (const { day, until } of rows) {
    await db.database.query(
      `create table daymark.${partitionOf(day)} partition of daymark.processed_events for values from ('${day}') to ('${until}')`,
    )
  }
  return rows.map(({ day }) => day)
}

function partitionOf(day: string): string {
  return `processed_events_${day.replaceAll('-', '_')}`
}

async function lockedPartitions(pid: number): Promise<string[]> {
  const { rows } = await db.database.query<{ name: string }>(
    `select c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = $1::integer and c.relispartition and c.relkind = 'r' order by 1`,
    [pid],
  )
  return rows.map(({ name }) => name)
}

async function isWaiting(pid: number): Promise<boolean> {
  const { rows } = await db.database.query('select from pg_locks where pid = $1::integer and not granted', [
    pid,
  ])
  return rows.length > 0
}
