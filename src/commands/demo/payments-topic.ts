import { openKafkaAdmin } from '../../kafka/kafka-admin.ts'
import type { KafkaSettings } from '../../kafka/kafka-settings.ts'
import type { Log } from '../../process/log.ts'
import { brokerRefusal } from '../broker-refusal.ts'

const RETENTION_DAYS = 7

/** Makes the topic of the sample payments; one that is there is left as it is. */
export async function createPaymentsTopic(kafka: KafkaSettings, topic: string, log: Log): Promise<void> {
  try {
    await using admin = await openKafkaAdmin(kafka, log)
    if ((await admin.fetchTopicSettings(topic)) !== null) return
    await admin.createTopic({
      topic,
      partitions: 4,
      settings: { 'retention.ms': String(RETENTION_DAYS * 86_400_000) },
    })
  } catch (error) {
    throw brokerRefusal(kafka, error)
  }
}
