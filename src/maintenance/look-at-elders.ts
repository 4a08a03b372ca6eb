import type { Queryable } from '../postgres/queryable.ts'
import type { Elder } from './elder.ts'
import { findYoungestRow } from './sql/find-youngest-row.ts'
import { listElders } from './sql/list-elders.ts'

/**
 * The tables from before daymark, with when old consumers last wrote into them. Into a partitioned one nobody could
 * since it was adopted, and its key would have to be read as a whole to say more.
 */
export async function lookAtElders(db: Queryable, schema: string, table: string): Promise<Elder[]> {
  const elders: Elder[] = []
  for (const row of await listElders(db, schema, table)) {
    const isAsked = row.isThere && row.form === 'keyed'
    const youngestMs = isAsked ? await findYoungestRow(db, row.schema, row.name) : null
    elders.push({ ...row, youngestMs: Math.max(row.adoptedMs, youngestMs ?? 0) })
  }
  return elders
}
