import { addDays, type Day, dayOf } from '../calendar/period.ts'
import { durationText } from './duration-text.ts'
import { oldestRecordText, type TopicEvidence } from './evidence.ts'
import { planMake } from './plan-make.ts'
import { planPrune } from './plan-prune.ts'
import { planRemove } from './plan-remove.ts'
import { type Policy, RUN_KINDS, type RunKind } from './policy.ts'
import { isUnlimited, type Retention, retentionOf } from './retention.ts'
import type { Blocker } from './sql/list-blockers.ts'
import type { Step } from './step.ts'
import type { TableView } from './table-view.ts'

/** What maintenance will do to a table, and why: shown by `plan`, by a dry run and on the page; done by the worker. */
export type Plan = {
  readonly schema: string
  readonly table: string
  /** The database's clock when it looked. */
  readonly nowMs: number
  readonly today: Day | null
  readonly fence: Day | null
  /** The last day that may be marked. */
  readonly windowEnd: Day | null
  readonly retention: Retention
  /** The oldest record of the topics, for people; null where none is known. */
  readonly oldestRecord: string | null
  readonly warnings: readonly string[]
  /** Whom a removal would wait for if it began now; it would hold up none of them. */
  readonly holders: readonly Blocker[]
  readonly steps: readonly Step[]
}

/** Works out the steps from what was found. Pure: the same view and evidence give the same plan. */
export function plan(
  policy: Policy,
  view: TableView,
  topics: readonly TopicEvidence[],
  kinds: readonly RunKind[] = RUN_KINDS,
): Plan {
  const retention = retentionFrom(policy, topics)
  const today = dayOf(view.nowMs)
  return {
    schema: policy.schema,
    table: policy.table,
    nowMs: view.nowMs,
    today,
    fence: view.fence,
    windowEnd: today === null || policy.unpartitioned !== null ? null : addDays(today, policy.runwayDays),
    retention,
    oldestRecord: oldestRecordText(topics),
    warnings: warningsOf(view, topics, retention),
    holders: view.holders,
    steps: kinds.flatMap((kind) => stepsOf(kind, policy, view, topics, retention)),
  }
}

function stepsOf(
  kind: RunKind,
  policy: Policy,
  view: TableView,
  topics: readonly TopicEvidence[],
  retention: Retention,
): Step[] {
  const { unpartitioned } = policy
  if (unpartitioned === null)
    return kind === 'make' ? planMake(policy, view, topics) : planRemove(policy, view, topics, retention)
  return kind === 'make' ? [] : planPrune(policy, unpartitioned.by, view, topics, retention)
}

/** The retention by the topics as they are, or as they were last seen; unknown while one was never seen. */
export function retentionFrom(policy: Policy, topics: readonly TopicEvidence[]): Retention {
  const stranger = topics.find(({ settings }) => settings === null)
  if (stranger !== undefined && policy.retention.kind === 'from-topics') {
    return {
      known: false,
      reason: `the retention of topic ${stranger.topic} is not known: ${stranger.complaint ?? 'the broker has no such topic'}`,
    }
  }
  return retentionOf(
    policy,
    topics.map(({ settings }) => settings).filter((settings) => settings !== null),
  )
}

/** From here on a difference between the database's clock and this machine's is said. */
export const NOTABLE_SKEW_MS = 10_000

function warningsOf(view: TableView, topics: readonly TopicEvidence[], retention: Retention): string[] {
  const warnings: string[] = []
  if (Math.abs(view.clockLeadMs) > NOTABLE_SKEW_MS) {
    const direction = view.clockLeadMs > 0 ? 'ahead of' : 'behind'
    warnings.push(
      `the database's clock is ${durationText(Math.abs(view.clockLeadMs))} ${direction} this machine's; the database's counts`,
    )
  }
  for (const { topic, presence, complaint, settings } of topics) {
    if (presence === 'unreachable')
      warnings.push(
        `topic ${topic} could not be asked: ${complaint ?? 'no answer'}; nothing that it feeds is dropped`,
      )
    if (presence === 'vanished')
      warnings.push(
        `topic ${topic} is unknown to the broker; its last known retention counts until it is forgotten`,
      )
    if (settings !== null && isUnlimited(settings))
      warnings.push(
        `topic ${topic} keeps its records without limit: what protects from a replay is the fence`,
      )
  }
  const reach = retention.known ? dayOf(view.nowMs - retention.ms) : null
  if (reach !== null && view.fence !== null && view.fence > reach) {
    warnings.push(
      `the retention reaches back to ${reach}, and days through ${view.fence} are gone already: ` +
        'what comes again of those is refused as expired, and nothing more is dropped until the retention is covered',
    )
  }
  return warnings
}
