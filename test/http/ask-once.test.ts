import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askOnce } from '../../src/http/ask-once.ts'

test('who asks while a question is open gets the same answer, and afterwards it is asked anew', async () => {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let asked = 0
  const ask = askOnce(() => answers[asked++]?.promise ?? Promise.reject(new Error('asked too often')))
  const both = Promise.all([ask(), ask()])
  answers[0]?.resolve('first')
  assert.deepEqual(await both, ['first', 'first'])
  const next = ask()
  answers[1]?.resolve('second')
  assert.equal(await next, 'second')
  assert.equal(asked, 2)
})

test('a question that failed is asked anew', async () => {
  let asked = 0
  const ask = askOnce(async () => {
    asked += 1
    if (asked === 1) throw new Error('away')
    return 'there'
  })
  await assert.rejects(ask(), /away/)
  assert.equal(await ask(), 'there')
})
