import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commitAgain, commitOffset } from '../../src/consumer/commit-offset.ts'
import { silentObserver } from '../../src/consumer/consumer-observer.ts'
import type { ConsumerParts } from '../../src/consumer/consumer-parts.ts'
import { newReading } from '../../src/consumer/reading.ts'
import type { Claim } from '../../src/kafka/claim.ts'
import { silentLog } from '../../src/process/log.ts'
import { joinTestGroup, resolveAll } from '../kafka/test-member.ts'
import { eventually } from '../support/eventually.ts'
import { payment } from '../support/payments.ts'
import { createTestTopics } from '../support/test-topic.ts'

const parts = { clock: () => 0, observer: silentObserver, log: silentLog } as unknown as ConsumerParts

test('an offset that the broker refused is committed again once its topic partition is idle', async () => {
  await using topics = await createTestTopics()
  const topic = await topics.create(1)
  await topics.producer.send(topic, [payment('evt-42')])
  const held = Promise.withResolvers<Claim>()
  await using member = await joinTestGroup(topic, {
    async batch(fetched, claim) {
      held.resolve(claim)
      resolveAll(fetched, claim)
    },
  })
  const claim = await held.promise
  const reading = newReading({ topic, partition: 0 }, '1', 0)
  const committed = async () =>
    (await topics.admin.fetchCommittedOffsets(member.group, topic))[0]?.offset ?? null

  // No broker takes an offset that is no number: a real refusal, of this one commit.
  await commitOffset(parts, reading, 'x', claim)
  assert.equal(reading.isUncommitted, true)
  assert.equal(await committed(), null)

  await commitAgain(parts, reading, member)
  assert.equal(reading.isUncommitted, false)
  await eventually('the offset at the broker', async () => (await committed()) === '1')
})

test('an offset that was committed is left alone', async () => {
  const reading = newReading({ topic: 'payments', partition: 0 }, '1', 0)
  await commitAgain(parts, reading, {
    commit: () => {
      throw new Error('expected no commit')
    },
  })
  assert.equal(reading.isUncommitted, false)
})
