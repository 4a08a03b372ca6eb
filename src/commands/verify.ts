import { addDays, type Day, dayOf, daysThrough, isDay } from '../calendar/period.ts'
import { type ComparedDay, compareEffects } from '../consumer/compare-effects.ts'
import { EffectsQueryError, readEffectsQuery } from '../consumer/effects-query.ts'
import { type Runway, readRunway } from '../maintenance/runway.ts'
import type { Database } from '../postgres/database.ts'
import { alignedText } from './aligned-text.ts'
import type { EntryOptions } from './entry.ts'
import { escapedText } from './escaped-text.ts'
import { requireGroup } from './group-of.ts'
import { openCommandLog } from './open-command-log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { printJson, printMessage, printText } from './print.ts'
import { readConfiguration } from './read-configuration.ts'
import { readCount } from './read-count.ts'
import { readSince } from './read-since.ts'
import { UsageError } from './usage-error.ts'

/** The exit code of a command that found something to look after. */
const ATTENTION = 3
const NAMED = 20
const MOST_NAMED = 10_000

/**
 * Compares markers and effects day by day. They are written in one transaction, so every difference says that somebody
 * writes one of them apart from the other.
 */
export async function verify(options: EntryOptions): Promise<number> {
  const loaded = readConfiguration(options, [])
  const group = requireGroup(loaded)
  const { effects: query } = options.given
  if (query === undefined)
    throw new UsageError('expected --effects to be a SELECT that returns event_id, got none')
  const limit = readCount('--limit', options.given.limit, NAMED, MOST_NAMED)
  const { configuration } = loaded
  await using database = await openMigratedDatabase(
    configuration.database,
    openCommandLog(configuration.log.level),
  )
  const days = daysOf(options, await readRunway(database))
  const compared = (await compare(database, group, days, query, limit)).filter(
    ({ markers, effects }) => markers > 0 || effects > 0,
  )
  const differs = compared.filter(({ missing, unmarked }) => missing > 0 || (unmarked ?? 0) > 0)
  if (options.json) printJson({ group, days: compared })
  else printText(textOf(compared))
  if (compared.some(({ unmarked }) => unmarked === null)) {
    printMessage('the query returns no day, so effects without a marker were not looked for')
  }
  return differs.length === 0 ? 0 : ATTENTION
}

/** Days that can be compared: those that have markers still, as far as they were asked for. */
function daysOf({ given }: EntryOptions, { fence, oldestDay, latestDay }: Runway): Day[] {
  if (oldestDay === null || latestDay === null) return []
  const afterFence = fence === null ? oldestDay : addDays(fence, 1)
  const from = afterFence > oldestDay ? afterFence : oldestDay
  if (given.day !== undefined) {
    if (!isDay(given.day))
      throw new UsageError(`expected --day to be a day such as '2026-08-01', got '${given.day}'`)
    if (given.day >= from && given.day <= latestDay) return [given.day]
    throw new UsageError(`comparing ${given.day}: only ${from} through ${latestDay} have markers`)
  }
  const since = given.since === undefined ? null : dayOf(readSince(given.since, Date.now()))
  return daysThrough(since !== null && since > from ? since : from, latestDay)
}

async function compare(
  database: Database,
  group: string,
  days: readonly Day[],
  query: string,
  limit: number,
): Promise<ComparedDay[]> {
  try {
    return await compareEffects(database, group, days, await readEffectsQuery(database, query), limit)
  } catch (error) {
    if (error instanceof EffectsQueryError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

function textOf(days: readonly ComparedDay[]): string {
  if (days.length === 0) return 'no markers and no effects'
  const rows = days.map(({ day, markers, effects, missing, unmarked }) => [
    day,
    ...[markers, effects, missing, unmarked].map((count) => (count === null ? '?' : String(count))),
  ])
  const named = days.flatMap((day) => [
    ...idRows(day.day, 'has no effect', day.missingIds, day.missing),
    ...idRows(day.day, 'has no marker', day.unmarkedIds, day.unmarked ?? 0),
  ])
  const head = ['day', 'markers', 'effects', 'without effect', 'without marker']
  return [alignedText([head, ...rows]), ...(named.length === 0 ? [] : [alignedText(named)])].join('\n\n')
}

function idRows(day: Day, what: string, ids: readonly string[], count: number): string[][] {
  const rows = ids.map((id) => [day, what, escapedText(id)])
  return ids.length < count ? [...rows, [day, what, `… and ${count - ids.length} more`]] : rows
}
