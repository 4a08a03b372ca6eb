import type { KafkaSettings } from '../../kafka/kafka-settings.ts'
import { listMissingRights } from '../../maintenance/assert-rights.ts'
import { type Policy, tableOf } from '../../maintenance/policy.ts'
import { lookAtTable } from '../../maintenance/table-plan.ts'
import type { DirectSession } from '../../postgres/direct-session.ts'
import { SQLSTATE, sqlstateOf } from '../../postgres/sqlstate.ts'
import type { Log } from '../../process/log.ts'
import { readTableStanding } from '../table-standing.ts'
import { attention, type Finding, fine } from './finding.ts'
import { judgeLook } from './judge-look.ts'
import { judgeStanding } from './judge-standing.ts'

/** Everything about one table, through the connection and the role of the worker. Of no other table it says a word. */
export async function checkTable(
  session: DirectSession,
  sources: { readonly kafka: KafkaSettings | null; readonly log: Log },
  policy: Policy,
): Promise<Finding[]> {
  const table = tableOf(policy)
  const missing = await listMissingRights(session, policy)
  const role =
    missing.length === 0
      ? fine('role', table, 'the role may make, detach and drop days')
      : attention('role', table, missing.join('; '), 'give the grant, or connect as another role')
  try {
    const standing = await readTableStanding(session, policy)
    const look = await lookAtTable(session, sources, policy)
    return [role, ...judgeLook(policy, look, missing), ...judgeStanding(policy, standing)]
  } catch (error) {
    // A role that may not maintain the table may not read how it stands either: said already.
    if (!role.ok && sqlstateOf(error) === SQLSTATE.insufficientPrivilege) return [role]
    const message = error instanceof Error ? error.message : String(error)
    return [
      role,
      attention('plan', table, `the table could not be looked at: ${message}`, 'see `daymark plan`'),
    ]
  }
}
