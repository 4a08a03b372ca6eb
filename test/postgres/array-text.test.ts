import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { arrayText, numberArrayText } from '../../src/postgres/array-text.ts'
import { createTestDatabase } from '../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())

const ODD = [
  '',
  ' ',
  'null',
  'NULL',
  '"',
  '\\',
  '\\"',
  ',',
  '{',
  '}',
  '{}',
  '{a,b}',
  '\n',
  '\t',
  "'",
  '\u00a0',
  '😀',
]
const texts = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
  fc.constantFrom(...ODD),
  fc.constant(null),
)

test('any texts and nulls arrive as they were sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(texts), async (values) => {
      const { rows } = await db.database.query<{ read: (string | null)[] }>('select $1::text[] as read', [
        arrayText(values),
      ])
      assert.deepEqual(rows[0]?.read, values)
    }),
  )
})

test('odd texts arrive side by side', async () => {
  const { rows } = await db.database.query<{ read: string }>('select to_json($1::text[])::text as read', [
    arrayText(ODD),
  ])
  assert.deepEqual(JSON.parse(rows[0]?.read ?? ''), ODD)
})

test('numbers and nulls arrive as they were sent', async () => {
  const numbers = fc.oneof(
    fc.double(),
    fc.maxSafeInteger(),
    fc.constantFrom(-0, 5e-324, 1.7976931348623157e308),
    fc.constant(null),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(numbers), async (values) => {
      const { rows } = await db.database.query<{ read: (number | null)[] }>(
        'select $1::double precision[] as read',
        [numberArrayText(values)],
      )
      // A text of -0 is 0: nobody counts with it.
      assert.deepEqual(
        rows[0]?.read,
        values.map((value) => (value === 0 ? 0 : value)),
      )
    }),
  )
})

test('no values are an empty array', async () => {
  const { rows } = await db.database.query<{ texts: number; numbers: number }>(
    'select cardinality($1::text[]) as texts, cardinality($2::integer[]) as numbers',
    [arrayText([]), numberArrayText([])],
  )
  assert.deepEqual(rows, [{ texts: 0, numbers: 0 }])
})
