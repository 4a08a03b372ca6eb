import { randomBytes } from 'node:crypto'
import kafkajs, { type PartitionMetadata } from 'kafkajs'
import { type Log, silentLog } from '../process/log.ts'
import { connectKafka } from './kafka-client.ts'
import { type KafkaProducer, openKafkaProducer, type RecordToSend } from './kafka-producer.ts'
import type { KafkaSettings } from './kafka-settings.ts'
import { sequenceText } from './sequence-header.ts'
import { UsedIds } from './used-ids.ts'
import { createUuidV7 } from './uuid-v7.ts'

/** An event to be published. Without an id it gets a UUIDv7. */
export type EventToSend = Omit<RecordToSend, 'partition'> & { readonly eventId?: string }

export type EventProducerOptions = {
  readonly kafka: KafkaSettings
  readonly topic: string
  /** Who numbers: the same after a restart, and of one process at a time. 1 to 100 characters without a slash. */
  readonly producer: string
  /** The header `event-id` by default. */
  readonly idHeader?: string
  /** The header `event-sequence` by default; a consumer reads it as its `sequenceHeader`. */
  readonly sequenceHeader?: string
  /** How many of the ids given last are remembered, 100,000 by default: some 10 MB of ids of 36 characters. */
  readonly rememberedIds?: number
  readonly log?: Log
}

/** Publishes events whose consumers can tell repeats, gaps and restarts apart. Closed by its owner. */
export interface EventProducer extends AsyncDisposable {
  /**
   * Publishes events in their order, acknowledged by all replicas, and returns their ids. Rejects with an
   * IdReusedError before anything is sent; after any other error, sending the same events again is right.
   */
  send(events: readonly EventToSend[]): Promise<string[]>
  end(): Promise<void>
}

/**
 * Opens a producer of one topic. Numbers are given per topic partition, so it chooses the partition itself, as Kafka's
 * own clients do; a topic that grows is noticed at the next start. Sends go one after the other: several at once may
 * overtake each other, and a number that comes late would look like a gap.
 */
export async function createEventProducer(options: EventProducerOptions): Promise<EventProducer> {
  const { kafka, topic, producer: name, log = silentLog } = options
  if (!/^[^/\0]{1,100}$/.test(name)) {
    throw new TypeError(
      `expected the producer's name to be 1 to 100 characters without a slash, got '${name}'`,
    )
  }
  const partitions = await fetchPartitions(kafka, topic, log)
  const choose = kafkajs.Partitioners.DefaultPartitioner()
  const partitionOf = ({ key, value }: EventToSend): number =>
    choose({ topic, partitionMetadata: partitions, message: { key, value } })
  const producer = await openKafkaProducer(kafka, log)
  const numbered = new NumberedSends(producer, options, partitionOf)
  return {
    send: (events) => numbered.send(events),
    end: () => producer.end(),
    [Symbol.asyncDispose]: () => producer.end(),
  }
}

/** Gives ids and numbers, and takes both back where a send failed: nobody knows whether it was written. */
class NumberedSends {
  readonly #producer: KafkaProducer
  readonly #options: EventProducerOptions
  readonly #partitionOf: (event: EventToSend) => number
  readonly #session = Date.now()
  readonly #newId = createUuidV7(Date.now, randomBytes)
  readonly #used: UsedIds
  readonly #lastNumbers = new Map<number, number>()
  #sending: Promise<unknown> = Promise.resolve()

  constructor(
    producer: KafkaProducer,
    options: EventProducerOptions,
    partitionOf: (event: EventToSend) => number,
  ) {
    this.#producer = producer
    this.#options = options
    this.#partitionOf = partitionOf
    this.#used = new UsedIds(options.rememberedIds ?? 100_000)
  }

  send(events: readonly EventToSend[]): Promise<string[]> {
    const sent = this.#sending.then(() => this.#sendNow(events))
    this.#sending = sent.catch(() => undefined)
    return sent
  }

  async #sendNow(events: readonly EventToSend[]): Promise<string[]> {
    if (events.length === 0) return []
    // Ids made here are unique as they are; only those that were given have to be remembered.
    const given = events.flatMap(({ eventId }) => (eventId === undefined ? [] : [eventId]))
    this.#used.take(given)
    const numbers = new Map(this.#lastNumbers)
    const ids = events.map(({ eventId }) => eventId ?? this.#newId())
    const records = events.map((event, index) => this.#recordOf(event, ids[index] ?? '', numbers))
    try {
      await this.#producer.send(this.#options.topic, records)
    } catch (error) {
      this.#used.giveBack(given)
      throw error
    }
    for (const [partition, number] of numbers) this.#lastNumbers.set(partition, number)
    return ids
  }

  /** Counts on in `numbers`. A failed send leaves its numbers free: a repeat can be told, a gap would be a false alarm. */
  #recordOf(
    { eventId: _given, ...event }: EventToSend,
    id: string,
    numbers: Map<number, number>,
  ): RecordToSend {
    const { idHeader = 'event-id', sequenceHeader = 'event-sequence', producer } = this.#options
    const partition = this.#partitionOf(event)
    const number = (numbers.get(partition) ?? 0) + 1
    numbers.set(partition, number)
    const sequence = sequenceText({ producer, session: this.#session, number })
    return { ...event, partition, headers: { ...event.headers, [idHeader]: id, [sequenceHeader]: sequence } }
  }
}

async function fetchPartitions(kafka: KafkaSettings, topic: string, log: Log): Promise<PartitionMetadata[]> {
  const admin = connectKafka(kafka, log).admin()
  await admin.connect()
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    return topics[0]?.partitions ?? []
  } finally {
    await admin.disconnect()
  }
}
