import { dayOf } from '../../calendar/period.ts'
import { durationText } from '../../maintenance/duration-text.ts'
import type { TopicEvidence } from '../../maintenance/evidence.ts'
import { NOTABLE_SKEW_MS } from '../../maintenance/plan.ts'
import { type Policy, tableOf } from '../../maintenance/policy.ts'
import type { TableLook } from '../../maintenance/table-plan.ts'
import { attention, type Finding, fine } from './finding.ts'

/** Judges what a plan was made from, and the steps of it that wait for a person. Pure. */
export function judgeLook(policy: Policy, look: TableLook, missingRights: readonly string[]): Finding[] {
  return [
    judgeClock(tableOf(policy), look.view.clockLeadMs),
    ...judgeRetention(policy, look),
    ...look.topics.flatMap((topic) => judgeTopic(topic)),
    ...judgeRefusals(policy, look, missingRights),
  ]
}

function judgeClock(table: string, clockLeadMs: number): Finding {
  const skewMs = Math.abs(clockLeadMs)
  if (skewMs <= NOTABLE_SKEW_MS)
    return fine('clock', table, "the database's clock agrees with this machine's")
  const direction = clockLeadMs > 0 ? 'ahead of' : 'behind'
  const found = `the database's clock is ${durationText(skewMs)} ${direction} this machine's`
  return attention(
    'clock',
    table,
    found,
    "set the wrong one right; days are made and removed by the database's",
  )
}

function judgeRetention(policy: Policy, { plan, view }: TableLook): Finding[] {
  const table = tableOf(policy)
  const { retention } = plan
  if (!retention.known)
    return [
      attention(
        'retention',
        table,
        retention.reason,
        'correct maintenance.retention or the topic; nothing is dropped until then',
      ),
    ]
  const found = `days are kept for ${durationText(retention.ms)} after their end, by ${retention.from}`
  const reach = dayOf(view.nowMs - retention.ms)
  if (reach === null || view.fence === null || view.fence <= reach) return [fine('retention', table, found)]
  return [
    attention(
      'retention',
      table,
      `${found}, and days through ${view.fence} are gone already`,
      `what comes again of ${reach} to ${view.fence} is refused as expired; nothing is dropped until the retention is covered`,
    ),
  ]
}

function judgeTopic({ topic, presence, complaint }: TopicEvidence): Finding[] {
  if (presence === 'unreachable')
    return [
      attention(
        'topic',
        topic,
        `the broker could not be asked: ${complaint ?? 'no answer'}`,
        'see whether Kafka is up and can be reached; no day is dropped meanwhile',
      ),
    ]
  if (presence === 'vanished')
    return [
      attention(
        'topic',
        topic,
        'the broker knows no such topic, and its last known retention goes on to count',
        `if it is gone for good: daymark progress forget ${topic}`,
      ),
    ]
  return [fine('topic', topic, 'the broker has answered')]
}

/** What the role lacks is said by a finding of its own. */
function judgeRefusals(policy: Policy, { plan }: TableLook, missingRights: readonly string[]): Finding[] {
  const table = tableOf(policy)
  const reasons = plan.steps.filter(({ kind }) => kind === 'refuse').map(({ reason }) => reason)
  const others = [...new Set(reasons)].filter((reason) => !missingRights.includes(reason))
  if (others.length === 0) return [fine('plan', table, 'nothing waits for a person')]
  return others.map((reason) =>
    attention('plan', table, reason, 'do what it says; the worker goes on by itself'),
  )
}
