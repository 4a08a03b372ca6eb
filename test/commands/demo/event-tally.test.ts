import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEventTally } from '../../../src/commands/demo/event-tally.ts'
import { silentObserver } from '../../../src/consumer/consumer-observer.ts'

test('outcomes are added up over batches, and what was heard is passed on', () => {
  const heard: number[] = []
  const tally = openEventTally({ ...silentObserver, batchRecorded: ({ processed }) => heard.push(processed) })
  const place = { topic: 'payments', partition: 0, tookMs: 5 }
  tally.observer.batchRecorded({
    ...place,
    processed: 8,
    redelivered: 1,
    republished: 2,
    dead: { 'bad-id': 1 },
  })
  tally.observer.batchRecorded({
    ...place,
    processed: 2,
    redelivered: 0,
    republished: 1,
    dead: { expired: 1, handler: 2 },
  })
  assert.deepEqual(tally.counts(), { processed: 10, duplicates: 4, dead: 4 })
  assert.deepEqual(heard, [8, 2])
})
