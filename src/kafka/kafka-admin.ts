import { setTimeout as delay } from 'node:timers/promises'
import type { Admin } from 'kafkajs'
import type { Log } from '../process/log.ts'
import { connectKafka } from './kafka-client.ts'
import { kafkaFailureOf } from './kafka-error.ts'
import type { KafkaSettings } from './kafka-settings.ts'
import type { Offset } from './offset.ts'
import { openTopicIds } from './topic-id.ts'
import { fetchTopicSettings, type TopicSettings } from './topic-settings.ts'

/** The range of a topic partition that the broker still holds: the first offset, and the one after the last. */
export type Marks = { readonly partition: number; readonly low: Offset; readonly high: Offset }

/** What is asked of a broker beside the records themselves. Closed by its owner. */
export interface KafkaAdmin extends AsyncDisposable {
  /** Null where there is no such topic. */
  fetchTopicSettings(topic: string): Promise<TopicSettings | null>
  /** The high mark is the last stable offset: records of open transactions lie beyond it. Null: no such topic. */
  fetchMarks(topic: string): Promise<Marks[] | null>
  /** The id of the topic of that name: another where it was deleted and made anew. Null where it has none. */
  fetchTopicId(topic: string): Promise<string | null>
  /** The first offset, in offset order, whose timestamp is not before an instant; the high mark where there is none. */
  fetchOffsetsAt(topic: string, instantMs: number): Promise<{ partition: number; offset: Offset }[]>
  /** Null where the group has committed nothing. */
  fetchCommittedOffsets(group: string, topic: string): Promise<{ partition: number; offset: Offset | null }[]>
  createTopic(topic: TopicToCreate): Promise<void>
  deleteTopic(topic: string): Promise<void>
  /** Grows a topic to that many partitions in all. */
  growTopic(topic: string, partitions: number): Promise<void>
  /** Sets where a group reads next; the group must have no members. */
  setCommittedOffsets(
    group: string,
    topic: string,
    offsets: { partition: number; offset: Offset }[],
  ): Promise<void>
  /** Deletes what lies before an offset. */
  deleteRecords(topic: string, offsets: { partition: number; offset: Offset }[]): Promise<void>
  end(): Promise<void>
}

export type TopicToCreate = {
  readonly topic: string
  readonly partitions: number
  /** Topic settings, such as `retention.ms`. */
  readonly settings?: Readonly<Record<string, string>>
}

/** How long a new topic may take until a broker knows it. */
const KNOWN_WITHIN_MS = 10_000

/** Connects to one of the brokers. Rejects where none answers, or where they refuse. */
export async function openKafkaAdmin(settings: KafkaSettings, log: Log): Promise<KafkaAdmin> {
  const kafka = connectKafka(settings, log)
  const admin = kafka.admin()
  await admin.connect()
  const topicIds = openTopicIds(kafka)
  const end = async (): Promise<void> => {
    await Promise.all([admin.disconnect(), topicIds.end()])
  }
  return {
    fetchTopicSettings: (topic) => fetchTopicSettings(admin, topic),
    fetchMarks: (topic) => fetchMarks(admin, topic),
    fetchTopicId: (topic) => topicIds.fetch(topic),
    // The protocol's timestamps are whole; a fraction rounded down would find a record that is before the instant.
    fetchOffsetsAt: (topic, instantMs) => admin.fetchTopicOffsetsByTimestamp(topic, Math.ceil(instantMs)),
    fetchCommittedOffsets: (group, topic) => fetchCommittedOffsets(admin, group, topic),
    async createTopic({ topic, partitions, settings: topicSettings = {} }) {
      const configEntries = Object.entries(topicSettings).map(([name, value]) => ({ name, value }))
      await admin.createTopics({
        topics: [{ topic, numPartitions: partitions, replicationFactor: -1, configEntries }],
        waitForLeaders: false,
      })
      await untilKnown(admin, topic)
    },
    deleteTopic: (topic) => admin.deleteTopics({ topics: [topic] }),
    async growTopic(topic, partitions) {
      await admin.createPartitions({ topicPartitions: [{ topic, count: partitions }] })
    },
    setCommittedOffsets: (groupId, topic, partitions) => admin.setOffsets({ groupId, topic, partitions }),
    async deleteRecords(topic, partitions) {
      // kafkajs knows the leaders of a topic's partitions only once it has been asked about the topic.
      await admin.fetchTopicOffsets(topic)
      await admin.deleteTopicRecords({ topic, partitions })
    },
    end,
    [Symbol.asyncDispose]: end,
  }
}

/**
 * A broker hears of a new topic a moment after the controller has made it, which kafkajs's own wait takes for an error;
 * and it names the leader of a partition before that one takes records. A producer of kafkajs that comes too early
 * writes what the other partitions took once more. Who can say the offsets of a partition takes records too.
 */
async function untilKnown(admin: Admin, topic: string): Promise<void> {
  const deadline = performance.now() + KNOWN_WITHIN_MS
  for (;;) {
    try {
      await admin.fetchTopicMetadata({ topics: [topic] })
      await admin.fetchTopicOffsets(topic)
      return
    } catch (error) {
      const willPass = (error as { readonly retriable?: boolean }).retriable === true
      if (!willPass || performance.now() > deadline) throw error
    }
    await delay(50)
  }
}

async function fetchMarks(admin: Admin, topic: string): Promise<Marks[] | null> {
  try {
    const marks = await admin.fetchTopicOffsets(topic)
    return marks
      .map(({ partition, low, high }) => ({ partition, low, high }))
      .sort((a, b) => a.partition - b.partition)
  } catch (error) {
    if (kafkaFailureOf(error) === 'unknown-topic') return null
    throw error
  }
}

async function fetchCommittedOffsets(
  admin: Admin,
  groupId: string,
  topic: string,
): Promise<{ partition: number; offset: Offset | null }[]> {
  const [answer] = await admin.fetchOffsets({ groupId, topics: [topic] })
  return (answer?.partitions ?? []).map(({ partition, offset }) => ({
    partition,
    offset: offset.startsWith('-') ? null : offset,
  }))
}
