import { type Day, endOfDay } from '../calendar/period.ts'
import { type KafkaAdmin, type Marks, openKafkaAdmin } from '../kafka/kafka-admin.ts'
import type { KafkaSettings } from '../kafka/kafka-settings.ts'
import type { Offset } from '../kafka/offset.ts'
import type { Queryable } from '../postgres/queryable.ts'
import { sqlstateOf } from '../postgres/sqlstate.ts'
import type { Log } from '../process/log.ts'
import type { PartitionEvidence, TopicEvidence } from './evidence.ts'
import { findOldestRecord } from './oldest-record.ts'
import { retentionFrom } from './plan.ts'
import type { Policy } from './policy.ts'
import { prunableDays } from './prunable-days.ts'
import { lastEndedDay } from './remember-topics.ts'
import { removableDays } from './removable-days.ts'
import type { Retention } from './retention.ts'
import { type DayMark, listDayMarks } from './sql/list-day-marks.ts'
import { listTopicRetentions, type SeenTopic } from './sql/list-topic-retentions.ts'
import type { TableView } from './table-view.ts'
import { topicsOf } from './topics-of.ts'
import { withinTime } from './within-time.ts'

/** A broker that is slow is given this long for all questions; then nothing is dropped, and days are made all the same. */
const PATIENCE_MS = 60_000

/** What the gathering needs. */
export type EvidenceSources = {
  readonly db: Queryable
  readonly kafka: KafkaSettings | null
  readonly log: Log
}

/**
 * Asks the broker what it still holds of the topics that feed a table. Never rejects because of the broker: what it did
 * not say is part of the evidence. Writes nothing, so that a plan can be looked at by whoever may read.
 */
export async function gatherEvidence(
  sources: EvidenceSources,
  policy: Policy,
  view: TableView,
): Promise<TopicEvidence[]> {
  const { db, kafka, log } = sources
  const topics = await topicsOf(db, policy)
  if (topics.length === 0) return []
  const seen = new Map((await listTopicRetentions(db, topics)).map((each) => [each.topic, each]))
  if (kafka === null) return topics.map((topic) => unasked(topic, seen.get(topic), 'no Kafka is configured'))
  try {
    return await withinTime(PATIENCE_MS, async () => {
      await using admin = await openKafkaAdmin(kafka, log)
      const found: TopicEvidence[] = []
      for (const topic of topics) found.push(await askTopic(admin, db, topic, seen.get(topic), view))
      return await askOffsets(admin, policy, view, found)
    })
  } catch (error) {
    if (sqlstateOf(error) !== null) throw error
    const complaint = error instanceof Error ? error.message : String(error)
    log.warn(
      { topics, err: error },
      'the broker could not be asked what it still holds, so that nothing is dropped',
    )
    return topics.map((topic) => unasked(topic, seen.get(topic), complaint))
  }
}

function unasked(topic: string, seen: SeenTopic | undefined, complaint: string): TopicEvidence {
  return {
    topic,
    presence: 'unreachable',
    settings: seen ?? null,
    seenAtMs: seen?.seenAtMs ?? null,
    partitions: [],
    oldest: null,
    complaint,
  }
}

async function askTopic(
  admin: KafkaAdmin,
  db: Queryable,
  topic: string,
  seen: SeenTopic | undefined,
  view: TableView,
): Promise<TopicEvidence> {
  const settings = await admin.fetchTopicSettings(topic)
  const marks = settings === null ? null : await admin.fetchMarks(topic)
  if (settings === null || marks === null)
    return { ...unasked(topic, seen, ''), presence: 'vanished', complaint: null }
  const noted = await listDayMarks(db, topic)
  const ended = lastEndedDay(view)
  return {
    topic,
    presence: 'there',
    settings,
    seenAtMs: view.nowMs,
    partitions: marks.map((each) => ({
      ...each,
      marks: marksOf(noted, each, ended),
      offsetsAtEnd: new Map(),
    })),
    oldest: await findOldestRecord(admin, topic, marks, view.nowMs),
    complaint: null,
  }
}

/** The marks that were noted; for the day that ended last, the high mark of now where none was: it is noted by this run. */
function marksOf(
  noted: readonly DayMark[],
  { partition, high }: Marks,
  ended: Day | null,
): ReadonlyMap<Day, Offset> {
  const marks = noted
    .filter((mark) => mark.partition === partition)
    .map((mark) => [mark.day, mark.high] as const)
  return new Map([...(ended === null ? [] : [[ended, high] as const]), ...marks])
}

/** Asks for the offsets at the ends of the days that are past their retention: only those can be removed. */
async function askOffsets(
  admin: KafkaAdmin,
  policy: Policy,
  view: TableView,
  topics: readonly TopicEvidence[],
): Promise<TopicEvidence[]> {
  const days = daysToAsk(policy, view, retentionFrom(policy, topics))
  const asked: TopicEvidence[] = []
  for (const topic of topics) {
    const partitions = topic.partitions.map((each) => ({ ...each, offsetsAtEnd: new Map<Day, Offset>() }))
    if (topic.presence === 'there') {
      for (const day of days) await askDay(admin, topic.topic, day, partitions)
    }
    asked.push({ ...topic, partitions })
  }
  return asked
}

function daysToAsk(policy: Policy, view: TableView, retention: Retention): Day[] {
  if (policy.unpartitioned !== null) return prunableDays(view, retention)
  return removableDays(view, retention)
    .slice(0, policy.maxDropsPerRun)
    .map(({ day }) => day)
}

async function askDay(
  admin: KafkaAdmin,
  topic: string,
  day: Day,
  partitions: readonly (PartitionEvidence & { readonly offsetsAtEnd: Map<Day, Offset> })[],
): Promise<void> {
  for (const { partition, offset } of await admin.fetchOffsetsAt(topic, endOfDay(day))) {
    partitions.find((each) => each.partition === partition)?.offsetsAtEnd.set(day, offset)
  }
}
