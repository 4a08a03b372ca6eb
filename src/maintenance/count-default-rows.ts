import type { DirectSession } from '../postgres/direct-session.ts'
import { SQLSTATE, sqlstateOf } from '../postgres/sqlstate.ts'
import { begin, commit, rollback } from '../postgres/transaction.ts'
import type { Partition } from './partition.ts'
import { countRows } from './sql/count-rows.ts'
import { MOST_COUNTED } from './table-view.ts'

const UNCOUNTED: readonly (string | null)[] = [
  SQLSTATE.lockNotAvailable,
  SQLSTATE.queryCanceled,
  SQLSTATE.insufficientPrivilege,
  SQLSTATE.undefinedTable,
]

/**
 * Counts what stands in the default partition and would have to be moved. Null where there is none, or where it cannot
 * be had at once: nothing waits for this figure.
 */
export async function countDefaultRows(
  session: DirectSession,
  partitions: readonly Partition[],
): Promise<number | null> {
  const standard = partitions.find(({ isDefault }) => isDefault)
  if (standard === undefined) return null
  await begin(session)
  try {
    await session.query('set local lock_timeout = 100')
    await session.query('set local statement_timeout = 1000')
    const found = await countRows(session, standard.schema, standard.name, MOST_COUNTED)
    await commit(session)
    return found
  } catch (error) {
    await rollback(session)
    if (UNCOUNTED.includes(sqlstateOf(error))) return null
    throw error
  }
}
