import { type Day, endOfDay, minuteOf } from '../calendar/period.ts'
import { isBefore, type Offset } from '../kafka/offset.ts'
import { durationText } from './duration-text.ts'
import { isUnlimited, type TopicRetention } from './retention.ts'

/** What the broker still holds of one topic partition. */
export type PartitionEvidence = {
  readonly partition: number
  readonly low: Offset
  readonly high: Offset
  /** The high mark that the first run after a day's end noted. */
  readonly marks: ReadonlyMap<Day, Offset>
  /** The first offset whose timestamp is not before the end of a day. */
  readonly offsetsAtEnd: ReadonlyMap<Day, Offset>
}

/** What is known of a topic that feeds a table. */
export type TopicEvidence = {
  readonly topic: string
  /** `vanished`: the broker answers, and has no such topic. `unreachable`: it does not answer, or was not asked. */
  readonly presence: 'there' | 'vanished' | 'unreachable'
  /** As read now, or else as last seen; null where the topic was never seen. */
  readonly settings: TopicRetention | null
  readonly seenAtMs: number | null
  readonly partitions: readonly PartitionEvidence[]
  /** About when the oldest record that is left was written, by its own timestamp; null where none is left or asked for. */
  readonly oldest: { readonly partition: number; readonly timestampMs: number } | null
  /** Why the broker could not be asked. */
  readonly complaint: string | null
}

/**
 * Why a topic holds a day that is past its retention; null where the broker has nothing left of it.
 *
 * Two proofs are asked for. The low mark has passed the high mark that was noted after the day's end: all that was
 * appended by then is gone, whatever its timestamps. And the first record left is not older than the day's end, which
 * alone would prove nothing where timestamps are out of order, but also meets what was appended late for that day.
 * A mark above the present high mark is void: the topic was made anew since.
 */
export function holdOf(
  evidence: TopicEvidence,
  day: Day,
  nowMs: number,
  isGivenRetention: boolean,
): string | null {
  const { topic, settings } = evidence
  if (evidence.presence === 'unreachable')
    return `topic ${topic} could not be asked: ${evidence.complaint ?? 'no answer'}`
  if (evidence.presence === 'vanished') return holdOfVanished(evidence, nowMs)
  // Asked for by a retention of the operator's own: the fence refuses what such a topic delivers again.
  if (isGivenRetention && settings !== null && isUnlimited(settings)) return null
  if (evidence.partitions.length === 0) return `topic ${topic} answered without any partition`
  for (const partition of evidence.partitions) {
    const hold = holdOfPartition(partition, day)
    if (hold !== null) return `${topic}[${partition.partition}] ${hold}`
  }
  return null
}

function holdOfPartition({ low, high, marks, offsetsAtEnd }: PartitionEvidence, day: Day): string | null {
  const mark = marks.get(day)
  if (mark !== undefined && !isBefore(high, mark) && isBefore(low, mark)) {
    return `still holds offsets ${low} to ${mark}, written before the day's end was noted`
  }
  const atEnd = offsetsAtEnd.get(day)
  if (atEnd === undefined) return 'was not asked for its offset at the end of the day'
  if (isBefore(low, atEnd)) return `still holds offset ${low}, written before ${minuteOf(endOfDay(day))}`
  return null
}

/** A topic that has vanished may come back from elsewhere with what it held: its retention still runs. */
function holdOfVanished({ topic, settings, seenAtMs }: TopicEvidence, nowMs: number): string | null {
  if (settings === null || seenAtMs === null)
    return `topic ${topic} is unknown to the broker: forget it, or make it`
  if (settings.retentionMs === null || isUnlimited(settings)) {
    return `topic ${topic} has vanished and kept its records without limit: forget it with \`progress forget\``
  }
  const leftMs = seenAtMs + settings.retentionMs - nowMs
  if (leftMs <= 0) return null
  return `topic ${topic} has vanished and could still hold it for ${durationText(leftMs)}`
}

/** The oldest record of all topics, for people: `2026-11-24 03:11 (payments[2])`; null where none is known. */
export function oldestRecordText(topics: readonly TopicEvidence[]): string | null {
  let oldest: { text: string; timestampMs: number } | null = null
  for (const { topic, oldest: found } of topics) {
    if (found === null || (oldest !== null && oldest.timestampMs <= found.timestampMs)) continue
    oldest = {
      timestampMs: found.timestampMs,
      text: `${minuteOf(found.timestampMs)} (${topic}[${found.partition}])`,
    }
  }
  return oldest?.text ?? null
}
