import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRetention, RetentionError } from '../../src/maintenance/interlock.ts'
import { DEFAULT_POLICY } from '../../src/maintenance/policy.ts'
import { silentLog } from '../../src/process/log.ts'
import { testKafka } from '../support/test-topic.ts'
import { DAY_MS, givenRetention } from './table-view-of.ts'
import { createTestTopic } from './test-topic.ts'

test('a start is refused with a retention below what the broker can deliver again, and only then', async () => {
  await using topic = await createTestTopic({ 'retention.ms': String(7 * DAY_MS) })
  const parts = { kafka: testKafka(), log: silentLog }
  const withDays = (days: number): Promise<void> =>
    assertRetention(parts, [givenRetention(days * DAY_MS, { topics: [topic.topic] })])
  await withDays(8)
  await assert.rejects(
    withDays(3),
    (error) =>
      error instanceof RetentionError && /the retention of 3 d is shorter than the 8 d/.test(error.message),
  )
  await assertRetention(parts, [{ ...DEFAULT_POLICY, topics: [topic.topic] }])
})

test('a topic without limit, or compacted, needs a retention to be given', async () => {
  const parts = { kafka: testKafka(), log: silentLog }
  const unlimited: Record<string, string>[] = [{ 'retention.ms': '-1' }, { 'cleanup.policy': 'compact' }]
  for (const settings of unlimited) {
    await using topic = await createTestTopic(settings)
    await assert.rejects(
      assertRetention(parts, [{ ...DEFAULT_POLICY, topics: [topic.topic] }]),
      RetentionError,
    )
    await assertRetention(parts, [givenRetention(DAY_MS, { topics: [topic.topic] })])
  }
})

test('a broker that does not answer stops no start: nothing is dropped meanwhile', async () => {
  const kafka = { brokers: ['127.0.0.1:1'], clientId: 'daymark' }
  await assertRetention({ kafka, log: silentLog }, [givenRetention(1, { topics: ['payments'] })])
})
