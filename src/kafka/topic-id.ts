import { createRequire } from 'node:module'
import type { Kafka } from 'kafkajs'

/** Asks which topic stands behind a name. */
export type TopicIds = {
  /** A UUID; null where there is no such topic, or where the broker (before Kafka 2.8) gives topics no id. */
  fetch(topic: string): Promise<string | null>
  end(): Promise<void>
}

type Encoder = {
  writeBoolean(value: boolean): Encoder
  writeInt32(value: number): Encoder
  writeUVarIntString(value: string): Encoder
  writeUVarIntArray(values: readonly Encoder[]): Encoder
  writeUVarIntBytes(): Encoder
}
type Decoder = {
  offset: number
  readonly buffer: Buffer
  readInt16(): number
  readInt32(): number
  readUVarIntString(): string | null
  readUVarIntArray<Item>(read: (decoder: Decoder) => Item): Item[]
  readTaggedFields(): void
}
type Answer = { readonly errorCode: number; readonly id: string }
type Broker = {
  readonly versions: Readonly<Record<number, { readonly maxVersion: number }>>
  readonly connectionPool: { send(request: unknown): Promise<Answer> }
}
type Cluster = {
  connect(): Promise<void>
  disconnect(): Promise<void>
  refreshMetadataIfNecessary(): Promise<void>
  findControllerBroker(): Promise<Broker>
}

const METADATA = 3
/** The first version whose answer holds the ids: https://cwiki.apache.org/confluence/display/KAFKA/KIP-516 */
const VERSION = 10
const NO_ID = '00000000-0000-0000-0000-000000000000'
const UUID_BYTES = 16
const UNKNOWN_TOPIC = 3

/**
 * kafkajs 2.2.4 asks for metadata in version 6, which knows topics by name only: to it, a topic that is deleted and
 * made anew under a running consumer is the old one, and what the new one holds before the old place is never read.
 * So this one question goes to the broker in a version that tells them apart, over a connection of kafkajs's own.
 */
export function openTopicIds(kafka: Kafka): TopicIds {
  const cluster = clusterOf(kafka)
  let connected: Promise<void> | undefined
  return {
    async fetch(topic) {
      connected ??= cluster.connect()
      await connected.catch((error) => {
        connected = undefined
        throw error
      })
      await cluster.refreshMetadataIfNecessary()
      const broker = await cluster.findControllerBroker()
      if ((broker.versions[METADATA]?.maxVersion ?? 0) < VERSION) return null
      const { errorCode, id } = await broker.connectionPool.send(questionOf(topic))
      if (errorCode === UNKNOWN_TOPIC || id === NO_ID) return null
      if (errorCode !== 0) throw protocolError(errorCode)
      return id
    },
    end: () => cluster.disconnect(),
  }
}

const internal = createRequire(import.meta.url)

/** A cluster as kafkajs makes it for its own clients, with the addresses, TLS and SASL that it was given. */
function clusterOf(kafka: Kafka): Cluster {
  const name = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  )
  if (name === undefined) throw new Error('expected kafkajs 2.2.4, whose client can make a cluster')
  const create = (kafka as unknown as Record<symbol, (options: object) => Cluster>)[name]
  if (create === undefined) throw new Error('expected kafkajs 2.2.4, whose client can make a cluster')
  return create({ metadataMaxAge: 60_000, allowAutoTopicCreation: false })
}

function protocolError(code: number): Error {
  const { createErrorFromCode } = internal('kafkajs/src/protocol/error.js')
  return createErrorFromCode(code)
}

function questionOf(topic: string): unknown {
  const Encoder = internal('kafkajs/src/protocol/encoder.js') as new () => Encoder
  const named = new Encoder()
  // No id: the topic is asked after by its name.
  for (let written = 0; written < UUID_BYTES; written += 4) named.writeInt32(0)
  named.writeUVarIntString(topic).writeUVarIntBytes()
  return {
    request: {
      apiKey: METADATA,
      apiVersion: VERSION,
      apiName: 'Metadata',
      // The empty tagged fields at the front belong to the header of flexible versions, which kafkajs does not write.
      encode: async () =>
        new Encoder()
          .writeUVarIntBytes()
          .writeUVarIntArray([named])
          .writeBoolean(false)
          .writeBoolean(false)
          .writeBoolean(false)
          .writeUVarIntBytes(),
    },
    response: { decode: async (bytes: Buffer) => readAnswer(bytes), parse: async (answer: Answer) => answer },
  }
}

/** The first topic of a metadata answer; it was asked after one alone. */
function readAnswer(bytes: Buffer): Answer {
  const Decoder = internal('kafkajs/src/protocol/decoder.js') as new (buffer: Buffer) => Decoder
  const decoder = new Decoder(bytes)
  decoder.readTaggedFields()
  decoder.readInt32()
  decoder.readUVarIntArray(passBroker)
  decoder.readUVarIntString()
  decoder.readInt32()
  const [answer = { errorCode: UNKNOWN_TOPIC, id: NO_ID }] = decoder.readUVarIntArray(readTopic)
  return answer
}

function passBroker(decoder: Decoder): void {
  decoder.readInt32()
  decoder.readUVarIntString()
  decoder.readInt32()
  decoder.readUVarIntString()
  decoder.readTaggedFields()
}

function readTopic(decoder: Decoder): Answer {
  const errorCode = decoder.readInt16()
  decoder.readUVarIntString()
  const hex = decoder.buffer.toString('hex', decoder.offset, decoder.offset + UUID_BYTES)
  decoder.offset += UUID_BYTES + 1
  decoder.readUVarIntArray(passPartition)
  decoder.readInt32()
  decoder.readTaggedFields()
  return { errorCode, id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') }
}

function passPartition(decoder: Decoder): void {
  decoder.readInt16()
  decoder.readInt32()
  decoder.readInt32()
  decoder.readInt32()
  for (let lists = 0; lists < 3; lists++) decoder.readUVarIntArray((item) => item.readInt32())
  decoder.readTaggedFields()
}
