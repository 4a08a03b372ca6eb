import { openKafkaAdmin } from '../kafka/kafka-admin.ts'
import type { KafkaSettings } from '../kafka/kafka-settings.ts'
import type { Log } from '../process/log.ts'
import { durationText } from './duration-text.ts'
import { type Policy, tableOf } from './policy.ts'
import { isUnlimited, retentionOf, type TopicRetention } from './retention.ts'
import { withinTime } from './within-time.ts'

/** The retention is shorter than what the broker can deliver again. */
export class RetentionError extends Error {
  override readonly name = 'RetentionError'
  readonly code = 'RETENTION'
}

const PATIENCE_MS = 30_000

/**
 * Refuses to start while markers would be dropped before the broker has forgotten their events: a given retention below
 * what a topic needs, or none given where a topic keeps its records without limit. A broker that does not answer stops
 * nobody, because then nothing is dropped either. The first policy is the marker table's. What is wrong with another
 * table is said, and does not keep the others from their runs: nothing of that table is dropped.
 */
export async function assertRetention(
  parts: { readonly kafka: KafkaSettings | null; readonly log: Log },
  policies: readonly Policy[],
): Promise<void> {
  const { kafka, log } = parts
  if (kafka === null) return
  for (const [index, policy] of policies.entries()) {
    const topics = await readTopics(kafka, log, policy.topics)
    if (topics === null) return
    for (const topic of topics.filter(isUnlimited)) {
      log.warn(
        { table: tableOf(policy), topic: topic.topic },
        'a topic keeps its records without limit: what protects from a replay is the fence',
      )
    }
    const problem = problemOf(policy, topics)
    if (problem !== null && index === 0) throw new RetentionError(problem)
    if (problem !== null)
      log.error(
        { table: tableOf(policy), problem },
        'the retention of a table is wrong, so that nothing of it is dropped',
      )
  }
}

/** What is wrong with a policy's retention for these topics; null where it is right, or there is no topic to judge by. */
export function problemOf(policy: Policy, topics: readonly TopicRetention[]): string | null {
  if (topics.length === 0) return null
  const retention = retentionOf(policy, topics)
  if (retention.known) return null
  return `checking the retention of ${tableOf(policy)}: ${retention.reason}`
}

async function readTopics(
  kafka: KafkaSettings,
  log: Log,
  names: readonly string[],
): Promise<TopicRetention[] | null> {
  try {
    return await withinTime(PATIENCE_MS, async () => {
      await using admin = await openKafkaAdmin(kafka, log)
      const found: TopicRetention[] = []
      for (const name of names) {
        const settings = await admin.fetchTopicSettings(name)
        if (settings !== null) found.push(settings)
        else
          log.warn(
            { topic: name },
            'a topic is unknown to the broker, so that its retention could not be checked',
          )
      }
      return found
    })
  } catch (error) {
    log.warn(
      { err: error, after: durationText(PATIENCE_MS) },
      'the broker could not be asked for retentions; nothing is dropped meanwhile',
    )
    return null
  }
}
