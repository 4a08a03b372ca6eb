import { randomBytes } from 'node:crypto'
import { type KafkaAdmin, openKafkaAdmin } from '../../src/kafka/kafka-admin.ts'
import { type KafkaProducer, openKafkaProducer } from '../../src/kafka/kafka-producer.ts'
import type { KafkaSettings } from '../../src/kafka/kafka-settings.ts'
import { silentLog } from '../../src/process/log.ts'

/** As far as Kafka's numbers go. */
const FAR_MS = '9223372036854775807'

/** The broker of the run. */
export function testKafka(): KafkaSettings {
  const broker = process.env.DAYMARK_TEST_KAFKA
  if (broker === undefined)
    throw new Error('expected the test servers to run: use `npm test`, or its --test-global-setup')
  return { brokers: [broker], clientId: 'daymark-test' }
}

/** Topics of one test file, with what is needed to fill and to look at them. */
export type TestTopics = AsyncDisposable & {
  readonly kafka: KafkaSettings
  readonly admin: KafkaAdmin
  readonly producer: KafkaProducer
  /**
   * A new topic. Its retention is unlimited in time unless said otherwise: the broker deletes records of a fixed date
   * at once where the retention does not reach back to it. It takes records from the future too, such as noon's in the
   * morning.
   */
  create(partitions: number, settings?: Readonly<Record<string, string>>): Promise<string>
}

export async function createTestTopics(kafka = testKafka()): Promise<TestTopics> {
  const admin = await openKafkaAdmin(kafka, silentLog)
  const producer = await openKafkaProducer(kafka, silentLog)
  const topics: string[] = []
  return {
    kafka,
    admin,
    producer,
    async create(partitions, settings = {}) {
      const topic = `topic-${randomBytes(6).toString('hex')}`
      await admin.createTopic({
        topic,
        partitions,
        settings: { 'retention.ms': '-1', 'message.timestamp.after.max.ms': FAR_MS, ...settings },
      })
      topics.push(topic)
      return topic
    },
    async [Symbol.asyncDispose]() {
      await producer.end()
      for (const topic of topics) await admin.deleteTopic(topic).catch(() => undefined)
      await admin.end()
    },
  }
}
