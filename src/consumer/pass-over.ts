import type { Offset } from '../kafka/offset.ts'
import { isBefore } from '../kafka/offset.ts'
import { attemptBatch } from './attempt-batch.ts'
import type { ConsumerParts } from './consumer-parts.ts'
import { emptyBatch } from './cut-batches.ts'
import { hasForgotten } from './next-attempt.ts'
import type { Reading } from './reading.ts'

/**
 * Passes what a fetch covers that held no event for us: control records and aborted ones. They are recorded as a batch
 * without events, under the lock of the progress row, so that a database which has forgotten commits is found out here
 * too, and not written over: then it resolves to 'forgotten'. Never rejects.
 */
export async function passOver(
  parts: ConsumerParts,
  reading: Reading,
  lastOffset: Offset,
  commit: (offset: Offset) => Promise<void>,
): Promise<'passed' | 'forgotten' | 'failed'> {
  const { topic, partition } = reading
  const attempt = await attemptBatch(parts, reading, emptyBatch(reading, lastOffset), false)
  try {
    if ('error' in attempt) throw attempt.error
    const { nextOffset } = attempt.recorded
    if (isBefore(reading.seenOffset, nextOffset)) reading.seenOffset = nextOffset
    reading.lastProgressAtMs = parts.clock()
    await commit(nextOffset)
    return 'passed'
  } catch (error) {
    const fields = { topic, partition, offset: lastOffset, err: error }
    parts.log.warn(fields, 'records that hold no event could not be passed yet')
    return hasForgotten(error) ? 'forgotten' : 'failed'
  }
}
