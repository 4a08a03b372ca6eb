import type { KafkaAdmin } from '../../src/kafka/kafka-admin.ts'
import { createTestTopics } from '../support/test-topic.ts'

export type TestTopic = AsyncDisposable & {
  readonly topic: string
  readonly admin: KafkaAdmin
  /** Writes one record for each timestamp, in this order. */
  write(timestampsMs: readonly number[], partition?: number): Promise<void>
  /** Deletes what lies before an offset, as the broker does when its retention is over. */
  forget(offset: string, partition?: number): Promise<void>
}

/** A topic of one test, with settings of its own. */
export async function createTestTopic(
  settings: Readonly<Record<string, string>>,
  partitions = 1,
): Promise<TestTopic> {
  const topics = await createTestTopics()
  const topic = await topics.create(partitions, settings)
  return {
    topic,
    admin: topics.admin,
    async write(timestampsMs, partition = 0) {
      await topics.producer.send(
        topic,
        timestampsMs.map((timestampMs) => ({ key: null, value: 'value', partition, timestampMs })),
      )
    },
    async forget(offset, partition = 0) {
      // kafkajs finds the leader of a partition only where it was asked about the topic before.
      await topics.admin.fetchMarks(topic)
      await topics.admin.deleteRecords(topic, [{ partition, offset }])
    },
    [Symbol.asyncDispose]: () => topics[Symbol.asyncDispose](),
  }
}
