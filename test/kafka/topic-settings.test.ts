import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestTopics } from '../support/test-topic.ts'

const topics = await createTestTopics()
after(() => topics[Symbol.asyncDispose]())

test("the settings of a topic are those it was given, and the broker's where it was given none", async () => {
  const topic = await topics.create(1, { 'retention.ms': '604800000', 'segment.ms': '3600000' })
  assert.deepEqual(await topics.admin.fetchTopicSettings(topic), {
    topic,
    retentionMs: 604_800_000,
    segmentMs: 3_600_000,
    cleanupPolicy: 'delete',
    timestampType: 'CreateTime',
  })
})

test('a topic that keeps its records without limit has no retention', async () => {
  const topic = await topics.create(1, { 'retention.ms': '-1' })
  assert.equal((await topics.admin.fetchTopicSettings(topic))?.retentionMs, null)
})

test('a retention of nothing is a retention', async () => {
  const topic = await topics.create(1, { 'retention.ms': '0' })
  assert.equal((await topics.admin.fetchTopicSettings(topic))?.retentionMs, 0)
})

test('compaction, and timestamps that the broker gives, are seen', async () => {
  const topic = await topics.create(1, {
    'cleanup.policy': 'compact,delete',
    'message.timestamp.type': 'LogAppendTime',
  })
  const settings = await topics.admin.fetchTopicSettings(topic)
  assert.deepEqual([settings?.cleanupPolicy, settings?.timestampType], ['compact,delete', 'LogAppendTime'])
})
