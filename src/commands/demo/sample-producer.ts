import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type KafkaProducer, openKafkaProducer, type RecordToSend } from '../../kafka/kafka-producer.ts'
import type { KafkaSettings } from '../../kafka/kafka-settings.ts'
import type { Log } from '../../process/log.ts'

const TICK_MS = 100

/** Where the records come from: what has become due by an instant. */
export type SampleSource = { recordsUntil(nowMs: number): RecordToSend[] }

/**
 * Writes what the source has due, ten times a second, until the signal comes. While the broker is away nothing is made
 * up for: the source goes on from where the clock is.
 */
export async function produceSamples(
  { kafka, topic }: { readonly kafka: KafkaSettings; readonly topic: string },
  source: SampleSource,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const producer = await openKafkaProducer(kafka, log)
  const stopped = once(signal, 'abort')
  while (!signal.aborted) {
    // kafkajs tries for half a minute where the broker is away; a stop does not wait for that.
    await Promise.race([sendDue(producer, topic, source, log), stopped])
    await Promise.race([delay(TICK_MS), stopped])
  }
  await producer.end()
}

async function sendDue(
  producer: KafkaProducer,
  topic: string,
  source: SampleSource,
  log: Log,
): Promise<void> {
  const records = source.recordsUntil(Date.now())
  if (records.length === 0) return
  try {
    await producer.send(topic, records)
  } catch (error) {
    log.warn({ topic, records: records.length, err: error }, 'sample payments could not be written')
  }
}
