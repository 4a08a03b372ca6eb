import type { Day } from '../calendar/period.ts'
import type { Database } from '../postgres/database.ts'
import { commit, rollback } from '../postgres/transaction.ts'
import { type EffectsQuery, explainedRefusal } from './effects-query.ts'
import { beginReadOnly } from './sql/begin-read-only.ts'
import { compareDay, type DayComparison } from './sql/compare-day.ts'

export type ComparedDay = DayComparison & { readonly day: Day }

/** Compares markers and effects a day at a time, each in a transaction that cannot write: the query is a stranger's. */
export async function compareEffects(
  database: Database,
  group: string,
  days: readonly Day[],
  effects: EffectsQuery,
  limit: number,
): Promise<ComparedDay[]> {
  const compared: ComparedDay[] = []
  for (const day of days) {
    const comparison = await database.withSession(async (session) => {
      await beginReadOnly(session)
      try {
        const found = await compareDay(session, group, day, effects, limit)
        await commit(session)
        return found
      } catch (error) {
        await rollback(session)
        throw explainedRefusal(error)
      }
    })
    compared.push({ day, ...comparison })
  }
  return compared
}
