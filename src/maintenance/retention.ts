import { durationText } from './duration-text.ts'
import type { Policy } from './policy.ts'

/** What decides how long the broker can deliver a record of a topic again. */
export type TopicRetention = {
  readonly topic: string
  /** `retention.ms`; null where the topic keeps its records without limit. */
  readonly retentionMs: number | null
  readonly cleanupPolicy: string
}

/** How long a day is kept after its end, or why nobody can say, so that nothing is removed. */
export type Retention =
  | { readonly known: true; readonly ms: number; readonly from: string }
  | { readonly known: false; readonly reason: string }

const DAY_MS = 86_400_000

/** How much longer than the broker its markers are kept: a day, or a tenth of the retention if that is more. */
function reserveOf(retentionMs: number): number {
  return Math.max(DAY_MS, Math.ceil(retentionMs / 10))
}

/** A topic that is only compacted, or keeps its records for ever: some of them never leave it. */
export function isUnlimited(topic: TopicRetention): boolean {
  return topic.retentionMs === null || !topic.cleanupPolicy.split(/\s*,\s*/).includes('delete')
}

/** What a topic's records need; null where they never leave. */
export function neededFor(policy: Policy, topic: TopicRetention): number | null {
  if (topic.retentionMs === null || isUnlimited(topic)) return null
  return topic.retentionMs + reserveOf(topic.retentionMs) + policy.maxPublishDelayMs
}

/**
 * The longest of its topics rules. A given retention below that is not used: it was right when it was set, and the
 * topic's has grown since; so nothing is removed until it covers the topic again.
 */
export function retentionOf(policy: Policy, topics: readonly TopicRetention[]): Retention {
  const needs = topics
    .map((topic) => ({ topic: topic.topic, ms: neededFor(policy, topic) }))
    .filter((need): need is { topic: string; ms: number } => need.ms !== null)
  const longest = needs.reduce<{ topic: string; ms: number } | null>(
    (best, need) => (best === null || need.ms > best.ms ? need : best),
    null,
  )
  if (policy.retention.kind === 'given') return givenRetention(policy.retention.ms, longest)
  const unlimited = topics.find(isUnlimited)
  if (unlimited !== undefined) {
    return {
      known: false,
      reason:
        `topic ${unlimited.topic} keeps its records without limit ` +
        `(retention.ms ${unlimited.retentionMs ?? -1}, cleanup.policy ${unlimited.cleanupPolicy}): set a retention`,
    }
  }
  if (longest === null)
    return { known: false, reason: 'no topic is known that feeds the table: name it, or set a retention' }
  return { known: true, ms: longest.ms, from: longest.topic }
}

function givenRetention(ms: number, longest: { topic: string; ms: number } | null): Retention {
  if (!(ms > 0))
    return { known: false, reason: `the retention of ${ms} ms is not a duration: set one above zero` }
  if (longest !== null && ms < longest.ms) {
    return {
      known: false,
      reason:
        `the retention of ${durationText(ms)} is shorter than the ${durationText(longest.ms)} that topic ` +
        `${longest.topic} needs: set at least that`,
    }
  }
  return { known: true, ms, from: 'the configuration' }
}
