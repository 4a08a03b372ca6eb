import { addDays, type Day, dayOf } from '../calendar/period.ts'
import type { TopicEvidence } from './evidence.ts'
import type { Policy } from './policy.ts'
import { retentionOf } from './retention.ts'
import type { TableView } from './table-view.ts'

/**
 * The fence that the first run of a table writes: the day before the oldest that can still be delivered, which is the
 * broker's oldest record or as far as the retention reaches, whichever is earlier, at most `maxDaysBack`. What cannot be
 * asked is taken for the whole of that: a fence too late would refuse good events. Existing days stay after it.
 */
export function firstFence(
  policy: Policy,
  view: TableView,
  topics: readonly TopicEvidence[],
  today: Day,
): Day {
  const limit = addDays(today, -policy.maxDaysBack)
  const horizon = horizonOf(policy, view, topics) ?? limit
  const oldest = [horizon, limit].sort().at(-1) ?? limit
  const standing = view.partitions
    .map(({ fromMs }) => dayOf(fromMs))
    .filter((day): day is Day => day !== null)
  return addDays([oldest, today, ...standing].sort()[0] ?? today, -1)
}

function horizonOf(policy: Policy, view: TableView, topics: readonly TopicEvidence[]): Day | null {
  if (topics.some(({ presence }) => presence !== 'there')) return null
  const settings = topics.map((topic) => topic.settings).filter((each) => each !== null)
  const retention = retentionOf(policy, settings)
  if (!retention.known) return null
  const instants = topics.map(({ oldest }) => oldest?.timestampMs ?? Number.POSITIVE_INFINITY)
  return dayOf(Math.min(view.nowMs - retention.ms, ...instants))
}
