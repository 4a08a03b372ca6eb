import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { RecordToSend } from '../../kafka/kafka-producer.ts'
import type { Log } from '../../process/log.ts'

const TICK_MS = 100

/** Where the records come from: what has become due by an instant. */
export type SampleSource = { recordsUntil(nowMs: number): RecordToSend[] }

/**
 * Sends what the source has due, ten times a second, until the signal comes. While the broker is away nothing is made
 * up for: the source goes on from where the clock is. Never rejects.
 */
export async function produceSamples(
  send: (records: readonly RecordToSend[]) => Promise<unknown>,
  source: SampleSource,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const stopped = once(signal, 'abort')
  while (!signal.aborted) {
    // kafkajs tries for half a minute where the broker is away; a stop does not wait for that.
    await Promise.race([sendDue(send, source, log), stopped])
    await Promise.race([delay(TICK_MS), stopped])
  }
}

async function sendDue(
  send: (records: readonly RecordToSend[]) => Promise<unknown>,
  source: SampleSource,
  log: Log,
): Promise<void> {
  const records = source.recordsUntil(Date.now())
  if (records.length === 0) return
  try {
    await send(records)
  } catch (error) {
    log.warn({ records: records.length, err: error }, 'sample payments could not be written')
  }
}
