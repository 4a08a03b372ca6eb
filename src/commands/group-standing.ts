import { type KafkaAdmin, openKafkaAdmin } from '../kafka/kafka-admin.ts'
import type { KafkaSettings } from '../kafka/kafka-settings.ts'
import { countBetween } from '../kafka/offset.ts'
import type { Queryable } from '../postgres/queryable.ts'
import type { Log } from '../process/log.ts'
import { listProgress, type ProgressRow } from './sql/list-progress.ts'

/** Where a group is in a topic partition, by the database, and what the broker says to it. */
export type GroupStanding = ProgressRow & {
  /** Null where the broker was not asked, did not answer, or has no such topic partition. */
  readonly broker: BrokerStanding | null
}

export type BrokerStanding = {
  /** The first offset that is left, and the one after the last. */
  readonly low: string
  readonly high: string
  /** The group's offset at the broker; null where it committed none. */
  readonly committedOffset: string | null
  /** Records that wait to be recorded. */
  readonly lag: number
}

/** Reads where every group is. Without a broker, or with one that is away, the rest is told all the same. */
export async function listGroupStandings(
  db: Queryable,
  kafka: KafkaSettings | null,
  log: Log,
): Promise<{ readonly groups: readonly GroupStanding[]; readonly complaint: string | null }> {
  const rows = await listProgress(db)
  const unasked = rows.map((row) => ({ ...row, broker: null }))
  if (kafka === null || rows.length === 0) return { groups: unasked, complaint: null }
  try {
    await using admin = await openKafkaAdmin(kafka, log)
    return { groups: await askBroker(admin, rows), complaint: null }
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return { groups: unasked, complaint: `asking Kafka at ${kafka.brokers.join(', ')} for lag: ${found}` }
  }
}

async function askBroker(admin: KafkaAdmin, rows: readonly ProgressRow[]): Promise<GroupStanding[]> {
  const marksByTopic = new Map<string, Awaited<ReturnType<KafkaAdmin['fetchMarks']>>>()
  const commitsByPlace = new Map<string, string | null>()
  for (const topic of new Set(rows.map((row) => row.topic))) {
    const marks = await admin.fetchMarks(topic)
    marksByTopic.set(topic, marks)
    if (marks === null) continue
    for (const group of new Set(rows.filter((row) => row.topic === topic).map((row) => row.group))) {
      for (const { partition, offset } of await admin.fetchCommittedOffsets(group, topic)) {
        commitsByPlace.set(JSON.stringify([group, topic, partition]), offset)
      }
    }
  }
  return rows.map((row) => {
    const mark = marksByTopic.get(row.topic)?.find(({ partition }) => partition === row.partition)
    if (mark === undefined) return { ...row, broker: null }
    const committedOffset = commitsByPlace.get(JSON.stringify([row.group, row.topic, row.partition])) ?? null
    const lag = countBetween(row.nextOffset, mark.high)
    return { ...row, broker: { low: mark.low, high: mark.high, committedOffset, lag } }
  })
}
