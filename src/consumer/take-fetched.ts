import { setTimeout as delay } from 'node:timers/promises'
import type { Claim } from '../kafka/claim.ts'
import type { FetchedRecords } from '../kafka/kafka-record.ts'
import { isBefore } from '../kafka/offset.ts'
import { attemptBatch } from './attempt-batch.ts'
import { commitOffset } from './commit-offset.ts'
import type { ConsumerParts } from './consumer-parts.ts'
import { cutBatches } from './cut-batches.ts'
import { withBatch } from './dead-letter-limit.ts'
import type { Batch } from './event.ts'
import { isMissingPartition, nextAttempt, type WaitReason } from './next-attempt.ts'
import type { Reading } from './reading.ts'
import type { RecordedBatch } from './record-batch.ts'
import { reportBatch } from './report-batch.ts'

/** What a topic partition asks of the one who reads it. */
export type Reader = {
  /** It must wait: say why, read nothing of it, and try again later. */
  wait(reading: Reading, claim: Claim, reason: WaitReason, error: unknown): void
  /** Where it stands has changed under it: look where to read it from. */
  readAgain(reading: Reading, claim: Claim, why: string): void
  /** Whether the broker has deleted records that were to be read next. Other gaps in the offsets are no loss. */
  hasLost(reading: Reading): Promise<boolean>
}

/**
 * The heart of the consumer. Take a batch; record it in one transaction; tell Kafka.
 *
 * The order is the promise: the database has committed before the offset is. A crash in between has the batch
 * delivered again, and its markers absorb it. Nothing here rejects: an error thrown to kafkajs holds up every
 * partition, and ends the consumer in the long run. Resolves to whether the topic partition can be read on at once.
 */
export async function takeFetched(
  parts: ConsumerParts,
  reader: Reader,
  reading: Reading,
  fetched: FetchedRecords,
  claim: Claim,
): Promise<boolean> {
  reading.highWatermark = fetched.highWatermark
  const beginsLater = isBefore(reading.seenOffset, fetched.records[0]?.offset ?? reading.seenOffset)
  if (beginsLater && (await reader.hasLost(reading))) {
    reader.readAgain(reading, claim, 'the broker deleted records before they were read')
    return false
  }
  for (const batch of cutBatches(fetched, parts.settings)) {
    if (!claim.isHeld()) return false
    if (reading.isOfOldTopic) {
      reader.readAgain(reading, claim, 'the topic was deleted and made anew')
      return false
    }
    if (isToBeSkipped(reading, batch)) {
      reader.readAgain(reading, claim, 'somebody said to skip what comes next')
      return false
    }
    const recorded = await recordUntilDone(parts, reader, reading, batch, claim)
    if (recorded === null) return false
    claim.resolve(batch.lastOffset)
    await commitOffset(parts, reading, recorded.nextOffset, claim)
  }
  return true
}

/** A floor beyond the end is one of a topic that has been made anew: nothing is skipped for it. */
function isToBeSkipped({ floor, highWatermark }: Reading, { firstOffset }: Batch): boolean {
  return floor !== null && isBefore(firstOffset, floor) && !isBefore(highWatermark, floor)
}

/** Records a batch, however often it takes; null where that is not to be done now, or not by this member. */
async function recordUntilDone(
  parts: ConsumerParts,
  reader: Reader,
  reading: Reading,
  batch: Batch,
  claim: Claim,
): Promise<RecordedBatch | null> {
  let isolating = false
  for (let failures = 1, missingPartitions = 0; claim.isHeld(); failures++) {
    const attempt = await attemptBatch(parts, reading, batch, isolating)
    if ('recorded' in attempt) {
      advance(parts, reading, attempt.recorded, batch)
      reportBatch(parts, batch, attempt.recorded, attempt.tookMs)
      return attempt.recorded
    }
    if (isMissingPartition(attempt.error)) missingPartitions += 1
    const next = nextAttempt({ ...attempt, failures, isolating, missingPartitions }, parts.chance())
    const { topic, partition, firstOffset: offset } = batch
    if (next.kind === 'wait') {
      reader.wait(reading, claim, next.reason, attempt.error)
      return null
    }
    if (next.kind === 'read-again') {
      reader.readAgain(
        reading,
        claim,
        'the database is behind what was committed: it was restored, or failed over',
      )
      return null
    }
    parts.log.warn(
      { topic, partition, offset, phase: attempt.phase, next: next.kind, failures, err: attempt.error },
      'a batch could not be recorded and is tried again',
    )
    if (next.kind === 'isolate') isolating = true
    else await pause(next.waitMs, parts.giveUp)
  }
  return null
}

function advance(parts: ConsumerParts, reading: Reading, recorded: RecordedBatch, batch: Batch): void {
  if (isBefore(reading.seenOffset, recorded.nextOffset)) reading.seenOffset = recorded.nextOffset
  reading.recordTimestampMs = batch.lastTimestampMs
  reading.lastProgressAtMs = parts.clock()
  reading.waitingFor = null
  reading.waits = 0
  const failed = recorded.dead.filter(({ reason }) => reason === 'handler' || reason === 'undecodable').length
  reading.recent = withBatch(reading.recent, { fresh: recorded.processed.length + failed, failed })
}

async function pause(waitMs: number, giveUp: AbortSignal): Promise<void> {
  // Given up while it waits: the caller looks at its claim next, which is over then.
  await delay(waitMs, undefined, { signal: giveUp }).catch(() => undefined)
}
