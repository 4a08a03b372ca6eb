import { setTimeout as delay } from 'node:timers/promises'
import { openKafkaProducer, type RecordToSend } from '../../kafka/kafka-producer.ts'
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
  kafka: KafkaSettings,
  topic: string,
  source: SampleSource,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  await using producer = await openKafkaProducer(kafka, log)
  while (!signal.aborted) {
    const records = source.recordsUntil(Date.now())
    try {
      if (records.length > 0) await producer.send(topic, records)
    } catch (error) {
      log.warn({ topic, records: records.length, err: error }, 'sample payments could not be written')
    }
    // Aborted means that it is over, which the loop finds.
    await delay(TICK_MS, undefined, { signal }).catch(() => undefined)
  }
}
