import { addDays, type Day, dayOf } from '../calendar/period.ts'
import type { Queryable } from '../postgres/queryable.ts'
import type { TopicEvidence } from './evidence.ts'
import { insertDayMarks } from './sql/insert-day-marks.ts'
import { upsertTopicRetention } from './sql/upsert-topic-retention.ts'
import type { TableView } from './table-view.ts'

/**
 * Remembers what the broker will not be able to say later: the topics' settings, and how far they had come when the
 * last day ended. Of earlier days nobody noted it in time, and a mark noted now would only hold them longer.
 */
export async function rememberTopics(
  db: Queryable,
  topics: readonly TopicEvidence[],
  view: TableView,
): Promise<void> {
  const ended = lastEndedDay(view)
  for (const { topic, presence, settings, partitions } of topics) {
    if (presence !== 'there' || settings === null) continue
    await upsertTopicRetention(db, settings)
    if (ended !== null) await insertDayMarks(db, topic, ended, partitions)
  }
}

/** The day that ended last, by the database's clock. */
export function lastEndedDay({ nowMs }: TableView): Day | null {
  const today = dayOf(nowMs)
  return today === null ? null : addDays(today, -1)
}
