import type { Configuration } from '../configuration/configuration.ts'
import { listDeadLettersByReason } from '../http/sql/list-dead-letters-by-reason.ts'
import type { Queryable } from '../postgres/queryable.ts'
import type { Log } from '../process/log.ts'
import { listGroupStandings } from './group-standing.ts'
import { readTableDays } from './read-table-days.ts'
import { listLastSteps } from './sql/list-last-steps.ts'
import { listNewestDeadLetters } from './sql/list-newest-dead-letters.ts'
import type { Status } from './status-text.ts'
import { readTableStanding } from './table-standing.ts'
import { readTopicRanges, type TopicRange } from './topic-ranges.ts'
import { verdictOf } from './verdict.ts'

const SHOWN_STEPS = 20
const SHOWN_DEAD_LETTERS = 10

/** What is asked for a status. `readRanges` lets a page remember what costs the broker more. */
export type StatusSources = {
  readonly db: Queryable
  readonly configuration: Pick<Configuration, 'kafka' | 'policies'>
  readonly log: Log
  readonly readRanges?: typeof readTopicRanges
}

/** Everything that `status` and the page tell, read at once. A broker that is away costs its own figures only. */
export async function readStatus(sources: StatusSources): Promise<Status> {
  const { db, configuration, log } = sources
  const tables: Status['tables'][number][] = []
  for (const policy of configuration.policies) {
    const standing = await readTableStanding(db, policy)
    tables.push({ ...standing, days: await readTableDays(db, policy, standing) })
  }
  const nowMs = tables[0]?.nowMs ?? 0
  const { groups, complaint } = await listGroupStandings(db, configuration.kafka, log)
  const seen = tables.flatMap((table) => table.topics)
  const topics = [...new Set([...seen, ...groups].map(({ topic }) => topic))]
  const ranges = complaint === null ? await rangesOf(sources, topics, nowMs) : []
  const deadLetters = await listDeadLettersByReason(db)
  const complaints = complaint === null ? [] : [complaint]
  return {
    nowMs,
    verdict: verdictOf({
      tables,
      replayableMs: replayableOf(ranges, nowMs),
      groups,
      deadLetters,
      complaints,
    }),
    tables,
    topicRanges: ranges,
    groups,
    deadLetters,
    newestDeadLetters: await listNewestDeadLetters(db, SHOWN_DEAD_LETTERS),
    lastSteps: await listLastSteps(db, SHOWN_STEPS),
    complaints,
  }
}

async function rangesOf(
  { configuration, log, readRanges = readTopicRanges }: StatusSources,
  topics: readonly string[],
  nowMs: number,
): Promise<TopicRange[]> {
  try {
    return await readRanges(configuration.kafka, topics, nowMs, log)
  } catch (error) {
    log.debug({ err: error }, 'the broker could not be asked how far back its topics reach')
    return []
  }
}

function replayableOf(ranges: readonly TopicRange[], nowMs: number): number | null {
  const oldest = ranges.map(({ oldestMs }) => oldestMs).filter((oldestMs) => oldestMs !== null)
  return oldest.length === 0 ? null : nowMs - Math.min(...oldest)
}
