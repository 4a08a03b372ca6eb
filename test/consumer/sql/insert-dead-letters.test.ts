import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { deadLetterColumns } from '../../../src/consumer/dead-letter-columns.ts'
import type { DeadEvent } from '../../../src/consumer/event.ts'
import { insertDeadLetters } from '../../../src/consumer/sql/insert-dead-letters.ts'
import type { KafkaRecord } from '../../../src/kafka/kafka-record.ts'
import { newGroup } from '../../support/test-consumer.ts'
import { createTestDatabase } from '../../support/test-database.ts'
import { recordOf } from '../samples.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())

type Row = {
  readonly offset: string
  readonly eventId: string | null
  readonly days: (string | null)[]
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly headers: [string, string | null][]
  readonly reason: string
  readonly error: string
  readonly sqlstate: string | null
  readonly recordedAt: string
}

function deadOf(record: Partial<KafkaRecord>, given: Partial<DeadEvent> = {}): DeadEvent {
  return {
    record: recordOf(record),
    eventId: 'evt-42',
    markerDay: null,
    overlapDay: null,
    refusedDay: null,
    reason: 'bad-id',
    error: 'why',
    sqlstate: null,
    ...given,
  }
}

async function insert(group: string, ...dead: DeadEvent[]): Promise<Row[]> {
  await insertDeadLetters(db.database, group, 'payments', 3, deadLetterColumns(dead))
  const { rows } = await db.database.query<Row>(
    `select "offset", event_id as "eventId", key, value, headers, reason, error, sqlstate,
            array[to_char(marker_day, 'YYYY-MM-DD'), to_char(overlap_day, 'YYYY-MM-DD')] as days,
            (record_timestamp at time zone 'UTC')::text as "recordedAt"
       from daymark.dead_letters where consumer_group = $1::text order by id`,
    [group],
  )
  return rows
}

test('every kind of bytes comes back as it was', async () => {
  const group = newGroup()
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const rows = await insert(
    group,
    deadOf({ offset: '1', key: all, value: all, headers: { bytes: all, text: 'käse' } }),
    deadOf({ offset: '2', key: null, value: null, headers: undefined }),
    deadOf({
      offset: '3',
      key: Buffer.alloc(0),
      value: Buffer.alloc(0),
      headers: { empty: Buffer.alloc(0) },
    }),
  )
  assert.deepEqual(
    rows.map(({ key }) => key),
    [all, null, Buffer.alloc(0)],
  )
  assert.deepEqual(
    rows.map(({ value }) => value),
    [all, null, Buffer.alloc(0)],
  )
  assert.deepEqual(
    rows.map(({ headers }) => headers),
    [
      [
        ['bytes', all.toString('base64')],
        ['text', Buffer.from('käse').toString('base64')],
      ],
      [],
      [['empty', '']],
    ],
  )
})

test('headers keep several values in their order, and one without a value is null', async () => {
  const headers = {
    'event-id': [Buffer.from('a'), null, Buffer.from('b')],
    absent: null,
    // kafkajs puts what its object inherits in front.
    toString: [Object.prototype.toString, Buffer.from('c')] as unknown as Buffer[],
  }
  const [row] = await insert(newGroup(), deadOf({ headers }))
  assert.deepEqual(row?.headers, [
    ['event-id', 'YQ=='],
    ['event-id', null],
    ['event-id', 'Yg=='],
    ['absent', null],
    ['toString', 'Yw=='],
  ])
})

test('texts that PostgreSQL cannot hold lose only their NULs and lone surrogates', async () => {
  const [row] = await insert(
    newGroup(),
    deadOf(
      { headers: { 'a\0b\ud800': Buffer.from('x') } },
      { eventId: 'e\0v\udc00t', error: 'saw "\0" \\ {}' },
    ),
  )
  assert.equal(row?.eventId, 'e␀v\ufffdt')
  assert.equal(row?.error, 'saw "␀" \\ {}')
  assert.deepEqual(row?.headers, [['a␀b\ufffd', 'eA==']])
})

test('the days of its markers, its reason and SQLSTATE stand with it', async () => {
  const dead = deadOf(
    {},
    { markerDay: '2026-08-01', overlapDay: '2026-08-02', reason: 'handler', sqlstate: '23503' },
  )
  const [row] = await insert(newGroup(), dead)
  assert.deepEqual(
    [row?.days, row?.reason, row?.sqlstate],
    [['2026-08-01', '2026-08-02'], 'handler', '23503'],
  )
})

test('a timestamp is kept to the millisecond, and one that no calendar has is infinity', async () => {
  const timestamps = {
    [String(Date.UTC(2026, 7, 1, 23, 59, 59, 999))]: '2026-08-01 23:59:59.999',
    '-1': '1969-12-31 23:59:59.999',
    [String(Date.UTC(9999, 11, 31))]: '9999-12-31 00:00:00',
    [String(Date.UTC(20_000, 0, 1))]: '20000-01-01 00:00:00',
    '9223372036854775807': 'infinity',
    '-9223372036854775808': 'infinity',
    nothing: 'infinity',
  }
  const group = newGroup()
  const dead = Object.keys(timestamps).map((timestamp, offset) =>
    deadOf({ offset: String(offset), timestamp }),
  )
  const rows = await insert(group, ...dead)
  assert.deepEqual(
    rows.map(({ recordedAt }) => recordedAt),
    Object.values(timestamps),
  )
})

test('a redelivery adds nothing, and the same place in a topic that was made anew does', async () => {
  const group = newGroup()
  await insert(group, deadOf({ offset: '5' }, { error: 'first' }))
  await insert(group, deadOf({ offset: '5' }, { error: 'again' }))
  const rows = await insert(group, deadOf({ offset: '5', timestamp: '1' }, { error: 'anew' }))
  assert.deepEqual(
    rows.map(({ error }) => error),
    ['first', 'anew'],
  )
})

test('any records can be set aside, together', async () => {
  const bytes = fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array))
  const headers = fc.dictionary(
    fc.string({ unit: 'binary' }),
    fc.oneof(bytes, fc.constant(null), fc.array(fc.option(bytes))),
  )
  const record = fc.record({
    key: fc.option(bytes),
    value: fc.option(bytes),
    headers,
    timestamp: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  })
  const texts = fc.string({ unit: 'binary' })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(record, texts, texts), { minLength: 1, maxLength: 20 }),
      async (found) => {
        const dead = found.map(([given, eventId, error], offset) =>
          deadOf({ ...given, offset: String(offset) }, { eventId, error }),
        )
        const rows = await insert(newGroup(), ...dead)
        assert.deepEqual(
          rows.map(({ offset, key, value }) => ({ offset, key, value })),
          dead.map(({ record: { offset, key, value } }) => ({ offset, key, value })),
        )
      },
    ),
    { numRuns: 30 },
  )
})
