import type { Queryable } from '../postgres/queryable.ts'
import { complaintOf } from '../postgres/sqlstate.ts'
import { probeEffects } from './sql/probe-effects.ts'
import { codeOf, withoutComments } from './sql-text.ts'

/** A user's query that returns the event ids that effects carry, and the day of each, where it has a column `day`. */
export type EffectsQuery = { readonly text: string; readonly hasDay: boolean }

/** The query is no such query: what PostgreSQL or we found. */
export class EffectsQueryError extends Error {
  override readonly name = 'EffectsQueryError'
  readonly code = 'EFFECTS_QUERY'
}

const UNDEFINED_COLUMN = '42703'

/** Looks at the query without running it: whether it can be a part of ours, and which columns it returns. */
export async function readEffectsQuery(db: Queryable, given: string): Promise<EffectsQuery> {
  const text = withoutComments(given)
    .trim()
    .replace(/[\s;]+$/, '')
  if (/\$\d/.test(codeOf(text)))
    throw refusal('it contains a parameter such as $1, and nobody gives it a value')
  if (codeOf(text).includes(';')) throw refusal('it is more than one statement')
  try {
    await probeEffects(db, text, true)
    return { text, hasDay: true }
  } catch (error) {
    if (complaintOf(error)?.sqlstate !== UNDEFINED_COLUMN) throw explainedRefusal(error)
  }
  try {
    await probeEffects(db, text, false)
    return { text, hasDay: false }
  } catch (error) {
    throw explainedRefusal(error)
  }
}

/** What PostgreSQL says of the query is its writer's to mend; anything else passes as it came. */
export function explainedRefusal(error: unknown): unknown {
  const complaint = complaintOf(error)
  if (complaint?.sqlstate == null || !/^(42|22|0A|25)/.test(complaint.sqlstate)) return error
  return refusal(`PostgreSQL says "${complaint.message}" (${complaint.sqlstate})`, error)
}

function refusal(found: string, cause?: unknown): EffectsQueryError {
  return new EffectsQueryError(
    `reading the effects query: ${found}. It must be one SELECT that returns event_id, and day where the effects ` +
      "know theirs, such as: select event_id, (booked_at at time zone 'UTC')::date as day from ledger_entries",
    { cause },
  )
}
