/** What Kafka delivers, as kafkajs hands it over: nothing is decoded, so nothing is changed. */
export type KafkaRecord = {
  /** Decimal text: Kafka's offsets have 64 bits, a JavaScript number 53. */
  readonly offset: string
  /** Milliseconds since the epoch as decimal text; the same on every delivery of this record. */
  readonly timestamp: string
  readonly key: Buffer | null
  /** Null for a tombstone. */
  readonly value: Buffer | null
  readonly headers?: KafkaHeaders | undefined
}

export type KafkaHeaders = {
  readonly [name: string]: Buffer | string | null | readonly (Buffer | string | null)[] | undefined
}

/** Consecutive records of one topic partition, as one fetch brought them. */
export type FetchedRecords = {
  readonly topic: string
  readonly partition: number
  readonly records: readonly KafkaRecord[]
  /** The last offset that the fetch covers, control records included: the next one to read is one higher. */
  readonly lastOffset: string
  /** The end of the log as the fetch saw it. */
  readonly highWatermark: string
}

/** One of a topic's logs. */
export type TopicPartition = { readonly topic: string; readonly partition: number }

/** A text by which a topic partition can be found in a map. */
export function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`
}
