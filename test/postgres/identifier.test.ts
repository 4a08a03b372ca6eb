import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { identifier, literal, qualified } from '../../src/postgres/identifier.ts'
import { createTestDatabase } from '../support/test-database.ts'

const db = await createTestDatabase()
after(() => db[Symbol.asyncDispose]())

const texts = fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => !text.includes('\0'))
const names = texts.filter((text) => text.length > 0 && Buffer.byteLength(text) <= 63)

test('a name reaches the catalogue as it is, whatever it contains', async () => {
  await using session = await db.connect()
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(names, fc.constantFrom('a"b', 'a.b', '"', 'Select', ' ', "'", '$1', 'ü€😀')),
      async (name) => {
        await session.query('begin')
        await session.query(`create table ${qualified('daymark', name)} (day date)`)
        const { rows } = await session.query<{ name: string }>(
          'select relname as name from pg_class where oid = (select max(oid) from pg_class where relkind = $1)',
          ['r'],
        )
        await session.query('rollback')
        assert.equal(rows[0]?.name, name)
      },
    ),
  )
})

test('63 bytes are a name and 64 are none: the server would clip them to another name', () => {
  assert.equal(identifier('a'.repeat(63)), `"${'a'.repeat(63)}"`)
  assert.equal(identifier('ü'.repeat(31)), `"${'ü'.repeat(31)}"`)
  for (const name of ['a'.repeat(64), 'ü'.repeat(32), '', 'a\0b'])
    assert.throws(() => identifier(name), RangeError)
})

test('the refusal of a name shows the name', () => {
  assert.throws(() => identifier('a\0'), {
    message: /expected a name of 1 to 63 bytes without NUL .* got "a\\u0000"/,
  })
})

for (const setting of ['on', 'off']) {
  test(`a literal means its text while standard_conforming_strings is ${setting}`, async () => {
    await using session = await db.connect()
    await session.query(`set standard_conforming_strings = ${setting}`)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(texts, fc.constantFrom("'", '\\', "\\'", "'\\", "''", "\\\\'; drop table x; --", '\n', '')),
        async (text) => {
          const { rows } = await session.query<{ said: string }>(`select ${literal(text)}::text as said`)
          assert.equal(rows[0]?.said, text)
        },
      ),
    )
  })
}

test('a literal cannot hold NUL, as no text of PostgreSQL can', () => {
  assert.throws(() => literal('a\0'), RangeError)
})
