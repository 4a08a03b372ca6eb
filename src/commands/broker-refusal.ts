import { type KafkaFailure, kafkaFailureOf } from '../kafka/kafka-error.ts'
import type { KafkaSettings } from '../kafka/kafka-settings.ts'
import { RefusedError } from './refused-error.ts'

const FOUND: Readonly<Partial<Record<KafkaFailure, string>>> = {
  unreachable: 'none answers. Start Kafka, or correct KAFKA_BROKERS',
  refused:
    'the user was refused. Correct KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD or the rights of that user',
  'unknown-topic': 'a topic is not there. Create it, or correct KAFKA_TOPICS',
}

/** A broker's refusal at start as a sentence; any other error as it came. */
export function brokerRefusal(kafka: KafkaSettings, error: unknown): unknown {
  const found = FOUND[kafkaFailureOf(error)]
  if (found === undefined || !(error instanceof Error)) return error
  return new RefusedError(`connecting to Kafka at ${kafka.brokers.join(', ')}: ${found} (${error.message})`, {
    cause: error,
  })
}
