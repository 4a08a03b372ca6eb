import { addDays, dayOf } from '../../calendar/period.ts'
import { type Policy, tableOf } from '../../maintenance/policy.ts'
import { readClock } from '../../maintenance/sql/read-clock.ts'
import type { Database } from '../../postgres/database.ts'
import { jobSchemaOf } from '../../postgres/database-settings.ts'
import { SQLSTATE, sqlstateOf } from '../../postgres/sqlstate.ts'
import { consumerGrants } from '../consumer-grants.ts'
import { attention, type Finding } from './finding.ts'
import { judgeGrants, judgeProbe } from './judge-probe.ts'
import { probeRunway } from './probe-runway.ts'
import { findRole } from './sql/find-role.ts'
import { listClosedSchemas } from './sql/list-closed-schemas.ts'
import { listMissingGrants } from './sql/list-missing-grants.ts'

/**
 * Whether the consumer could mark an event of tomorrow, and has all the rights that it needs. `as` null: as the role of the
 * connection, which is the consumer's own.
 */
export async function checkConsumerRole(
  database: Database,
  policy: Policy,
  as: string | null,
): Promise<Finding[]> {
  const tomorrow = addDays(dayOf(await readClock(database)) ?? '1970-01-01', 1)
  const role = as ?? (await findRole(database))
  try {
    const rights = {
      role,
      missing: await listMissingGrants(database, role, consumerGrants(policy.schema)),
      closedSchemas: await listClosedSchemas(database, role, [policy.schema, jobSchemaOf(policy.schema)]),
    }
    const complaint = await probeRunway(database, tomorrow, as)
    return [judgeGrants(rights), judgeProbe(tableOf(policy), tomorrow, rights, complaint)]
  } catch (error) {
    if (sqlstateOf(error) !== SQLSTATE.undefinedObject) throw error
    return [attention('grants', role, 'there is no such role', 'name another with --as')]
  }
}
