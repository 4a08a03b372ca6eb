import { openKafkaAdmin } from '../kafka/kafka-admin.ts'
import type { KafkaSettings } from '../kafka/kafka-settings.ts'
import { findOldestRecord } from '../maintenance/oldest-record.ts'
import type { Log } from '../process/log.ts'

/** What the broker can still deliver of a topic, by the timestamps of the records themselves. */
export type TopicRange = {
  readonly topic: string
  /** About when the oldest record that is left was written; null where none is left. */
  readonly oldestMs: number | null
}

/** Asks the broker how far back each topic reaches: measured, because whole segments go later than they may. */
export async function readTopicRanges(
  kafka: KafkaSettings | null,
  topics: readonly string[],
  nowMs: number,
  log: Log,
): Promise<TopicRange[]> {
  if (kafka === null || topics.length === 0) return []
  await using admin = await openKafkaAdmin(kafka, log)
  const ranges: TopicRange[] = []
  for (const topic of topics) {
    const marks = await admin.fetchMarks(topic)
    if (marks === null) continue
    const oldest = await findOldestRecord(admin, topic, marks, nowMs)
    ranges.push({ topic, oldestMs: oldest?.timestampMs ?? null })
  }
  return ranges
}

/** Finding the oldest record takes some twenty questions; it moves once in a segment. */
const REMEMBERED_MS = 60_000

/** The same for a page that is asked every few seconds: the broker is asked once a minute. */
export function rememberRanges(): typeof readTopicRanges {
  let remembered: { readonly key: string; readonly atMs: number; readonly ranges: TopicRange[] } | null = null
  return async (kafka, topics, nowMs, log) => {
    const key = JSON.stringify(topics)
    if (remembered?.key === key && nowMs - remembered.atMs < REMEMBERED_MS) return remembered.ranges
    const ranges = await readTopicRanges(kafka, topics, nowMs, log)
    remembered = { key, atMs: nowMs, ranges }
    return ranges
  }
}
