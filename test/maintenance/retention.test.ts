import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { problemOf } from '../../src/maintenance/interlock.ts'
import { DEFAULT_POLICY } from '../../src/maintenance/policy.ts'
import { retentionOf, type TopicRetention } from '../../src/maintenance/retention.ts'
import { DAY_MS, givenRetention } from './table-view-of.ts'

function topicOf(topic: string, days: number | null, cleanupPolicy = 'delete'): TopicRetention {
  return { topic, retentionMs: days === null ? null : days * DAY_MS, cleanupPolicy }
}

test('seven days at the broker come to eight: a day more', () => {
  assert.deepEqual(retentionOf(DEFAULT_POLICY, [topicOf('payments', 7)]), {
    known: true,
    ms: 8 * DAY_MS,
    from: 'payments',
  })
})

test('thirty days at the broker come to 33: a tenth more, because that is more than a day', () => {
  assert.deepEqual(retentionOf(DEFAULT_POLICY, [topicOf('payments', 30)]), {
    known: true,
    ms: 33 * DAY_MS,
    from: 'payments',
  })
})

test('markers are always kept at least 1.1 times as long as the broker keeps records', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_000 * DAY_MS }), { minLength: 1 }), (retentions) => {
      const topics = retentions.map((retentionMs, n) => ({
        topic: `t${n}`,
        retentionMs,
        cleanupPolicy: 'delete',
      }))
      const retention = retentionOf(DEFAULT_POLICY, topics)
      assert.ok(retention.known)
      for (const retentionMs of retentions)
        assert.ok(retention.ms * 10 >= retentionMs * 11 && retention.ms >= retentionMs + DAY_MS)
    }),
  )
})

test('how late a record may be published is added', () => {
  const policy = { ...DEFAULT_POLICY, maxPublishDelayMs: 2 * DAY_MS }
  assert.deepEqual(retentionOf(policy, [topicOf('payments', 7)]), {
    known: true,
    ms: 10 * DAY_MS,
    from: 'payments',
  })
})

test('without a topic, or with one that never forgets, nobody knows the retention', () => {
  for (const topics of [[], [topicOf('a', null)], [topicOf('a', 7), topicOf('b', 7, 'compact')]]) {
    assert.equal(retentionOf(DEFAULT_POLICY, topics).known, false)
  }
})

test('a topic that is compacted and deleted too has a retention', () => {
  assert.equal(retentionOf(DEFAULT_POLICY, [topicOf('a', 7, 'compact,delete')]).known, true)
})

test('a given retention is taken if it covers the topics, to the millisecond', () => {
  const topics = [topicOf('payments', 7)]
  assert.equal(problemOf(givenRetention(8 * DAY_MS), topics), null)
  assert.match(
    problemOf(givenRetention(8 * DAY_MS - 1), topics) ?? '',
    /^checking the retention of daymark.processed_events: the retention of 7 d 23 h is shorter than the 8 d that topic payments needs: set at least that$/,
  )
})

test('a topic without limit asks for a retention to be given', () => {
  assert.match(
    problemOf(DEFAULT_POLICY, [topicOf('events', null)]) ?? '',
    /topic events keeps its records without limit.*set a retention/,
  )
  assert.equal(problemOf(givenRetention(DAY_MS), [topicOf('events', null)]), null)
})
