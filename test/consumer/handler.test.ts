import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineHandler } from '../../src/consumer/handler.ts'

const definition = Object.freeze({
  seen: [] as unknown[],
  async apply(events: unknown): Promise<void> {
    this.seen.push(events)
  },
})

test('a handler of either form is taken, and its functions keep their object', async () => {
  const batch = defineHandler(definition)
  assert.equal(batch.kind, 'batch')
  if (batch.kind === 'batch') await batch.apply([], { query: () => assert.fail('not used') })
  assert.deepEqual(definition.seen, [[]])
  assert.equal(defineHandler({ applyEach: async () => undefined }).kind, 'each')
})

test('anything else is refused with what was found', () => {
  const broken: [unknown, RegExp][] = [
    [undefined, /got undefined/],
    [null, /got null/],
    [42, /got 42/],
    [{}, /an object with no properties/],
    [{ aply: () => undefined }, /an object with aply/],
    [{ apply: 'text' }, /an object with apply/],
    [{ apply: () => undefined, applyEach: () => undefined }, /an object with apply, applyEach/],
  ]
  for (const [found, message] of broken) {
    assert.throws(() => defineHandler(found as Parameters<typeof defineHandler>[0]), {
      name: 'TypeError',
      message,
    })
  }
})
