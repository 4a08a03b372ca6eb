import type { KafkaAdmin, Marks } from '../kafka/kafka-admin.ts'
import { isBefore } from '../kafka/offset.ts'

/** How far back the oldest record is looked for: a topic that keeps more is older than any retention here. */
const REACH_MS = 400 * 86_400_000
const PRECISION_MS = 60_000

/**
 * About when the oldest record of a topic that is left was written, by its own timestamp, to the minute: the latest
 * moment at which no partition has an older first record. Found by halves, in some twenty questions, because the broker
 * can be asked for an offset by time and not for the time of an offset. Where timestamps are out of order it is the
 * oldest *first* record; that is good enough to tell people, and no proof of anything. Null where nothing is left.
 */
export async function findOldestRecord(
  admin: KafkaAdmin,
  topic: string,
  marks: readonly Marks[],
  nowMs: number,
): Promise<{ partition: number; timestampMs: number } | null> {
  const filled = marks.filter(({ low, high }) => isBefore(low, high))
  if (filled.length === 0) return null
  const firstOlderThan = async (instantMs: number): Promise<number | null> => {
    const offsets = await admin.fetchOffsetsAt(topic, instantMs)
    const found = filled.find(({ partition, low }) =>
      offsets.some((each) => each.partition === partition && isBefore(low, each.offset)),
    )
    return found?.partition ?? null
  }
  let fromMs = nowMs - REACH_MS
  let untilMs = nowMs + 86_400_000
  let partition = (await firstOlderThan(untilMs)) ?? filled[0]?.partition ?? 0
  while (untilMs - fromMs > PRECISION_MS) {
    const middleMs = Math.round((fromMs + untilMs) / 2)
    const older = await firstOlderThan(middleMs)
    if (older === null) fromMs = middleMs
    else {
      untilMs = middleMs
      partition = older
    }
  }
  return { partition, timestampMs: fromMs }
}
