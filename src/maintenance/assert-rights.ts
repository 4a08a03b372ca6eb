import type { Queryable } from '../postgres/queryable.ts'
import type { Log } from '../process/log.ts'
import { missingRights } from './obstacles.ts'
import { type Policy, tableOf } from './policy.ts'
import { findTable } from './sql/find-table.ts'

/** The role of the maintenance connection cannot do what maintenance does. */
export class RightsError extends Error {
  override readonly name = 'RightsError'
  readonly code = 'RIGHTS'
}

/**
 * Refuses to start as a role that could make and remove no day of the marker table, which is the first: its runs could not
 * even be written down. What is missing for another table is said, and keeps that table alone from its runs.
 */
export async function assertRights(db: Queryable, log: Log, policies: readonly Policy[]): Promise<void> {
  for (const [index, policy] of policies.entries()) {
    const missing = await listMissingRights(db, policy)
    if (missing.length > 0 && index === 0)
      throw new RightsError(`starting to maintain ${tableOf(policy)}: ${missing.join('; ')}`)
    if (missing.length > 0)
      log.error({ table: tableOf(policy), missing }, 'a table cannot be maintained as this role')
  }
}

/** Each with the grant to give. A table that is only pruned, or does not exist, has others to say what it lacks. */
export async function listMissingRights(db: Queryable, policy: Policy): Promise<string[]> {
  if (policy.unpartitioned !== null) return []
  const facts = await findTable(db, policy.schema, policy.table)
  return facts === null ? [] : missingRights(policy, facts)
}
