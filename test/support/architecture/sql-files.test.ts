import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceFile } from './source-file.ts'
import { checkSqlFiles, findStraySql } from './sql-files.ts'

test('one statement under the name of its file is fine, with a setting for it before', () => {
  const text = `export async function findFence(db) {
  await db.query('set local constraint_exclusion = on')
  return db.query<{ day: string }>('select …')
}`
  assert.deepEqual(checkSqlFiles([sourceFile('src/story/sql/find-fence.ts', text)]), [])
})

test('a second statement, and a function of another name, are found', () => {
  const text = `export async function fence(db) {
  await db.query('lock …')
  return db.query<Row>('select …')
}`
  assert.deepEqual(checkSqlFiles([sourceFile('src/story/sql/find-fence.ts', text)]), [
    'src/story/sql/find-fence.ts sends 2 statements',
    'src/story/sql/find-fence.ts exports no function findFence',
  ])
})

for (const statement of [
  'select day from daymark.days',
  '\n  insert into daymark.days values ($1)',
  'update daymark.days set day = $1',
  'delete from daymark.days',
  'with d as (select 1) select',
  'CREATE TABLE days ()',
]) {
  test(`"${statement.trim()}" outside of a sql folder is found`, () => {
    const file = sourceFile('src/story/a.ts', `send(\`${statement}\`)`)
    assert.equal(findStraySql([file], []).length, 1)
    assert.deepEqual(findStraySql([file], ['src/story/']), [])
  })
}

test('sentences and settings of a session are no statements to be looked for', () => {
  const text =
    "say('create the table first, with its days'); send('set local lock_timeout = 1'); send('savepoint half')"
  assert.deepEqual(findStraySql([sourceFile('src/story/a.ts', text)], []), [])
})
