import kafkajs from 'kafkajs'
import type { Log } from '../process/log.ts'
import { COMPRESSION_TYPE, type Compression } from './codecs.ts'
import { connectKafka } from './kafka-client.ts'
import type { KafkaSettings } from './kafka-settings.ts'
import type { Offset } from './offset.ts'

/** A record to be written. Without a partition its key decides, as Kafka's own clients do. */
export type RecordToSend = {
  readonly key: Buffer | string | null
  readonly value: Buffer | string | null
  readonly partition?: number
  readonly headers?: Readonly<Record<string, string | Buffer>>
  /** Now, where it is absent. */
  readonly timestampMs?: number
}

/** Writes records; each call is acknowledged by the broker before it resolves. Closed by its owner. */
export interface KafkaProducer extends AsyncDisposable {
  /** Resolves to the first offset that was given, by partition. */
  send(
    topic: string,
    records: readonly RecordToSend[],
    options?: { readonly compression?: Compression },
  ): Promise<ReadonlyMap<number, Offset>>
  end(): Promise<void>
}

export async function openKafkaProducer(settings: KafkaSettings, log: Log): Promise<KafkaProducer> {
  const producer = connectKafka(settings, log).producer({
    allowAutoTopicCreation: false,
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  })
  await producer.connect()
  return {
    async send(topic, records, options = {}) {
      const answers = await producer.send({
        topic,
        acks: -1,
        ...(options.compression === undefined ? {} : { compression: COMPRESSION_TYPE[options.compression] }),
        messages: records.map((record) => ({
          key: record.key,
          value: record.value,
          ...(record.partition === undefined ? {} : { partition: record.partition }),
          ...(record.headers === undefined ? {} : { headers: { ...record.headers } }),
          ...(record.timestampMs === undefined ? {} : { timestamp: String(record.timestampMs) }),
        })),
      })
      const offsets = new Map(answers.map(({ partition, baseOffset }) => [partition, baseOffset ?? '0']))
      refuseUnwritten(topic, records, offsets)
      return offsets
    },
    end: () => producer.disconnect(),
    [Symbol.asyncDispose]: () => producer.disconnect(),
  }
}

/**
 * kafkajs leaves out, without a word, what is meant for a partition that its metadata do not name yet, as after the
 * topic has grown. What was for other partitions is written by then.
 */
function refuseUnwritten(
  topic: string,
  records: readonly RecordToSend[],
  offsets: ReadonlyMap<number, Offset>,
): void {
  const unwritten = records.find(({ partition }) => partition !== undefined && !offsets.has(partition))
  if (unwritten === undefined) return
  throw new Error(
    `writing to the topic "${topic}": partition ${unwritten.partition} is not known to this producer, and its ` +
      'records were not written. If the topic has grown, begin a new producer.',
  )
}
