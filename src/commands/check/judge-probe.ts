import type { Day } from '../../calendar/period.ts'
import { identifier, qualified } from '../../postgres/identifier.ts'
import { SQLSTATE } from '../../postgres/sqlstate.ts'
import type { TableGrant } from '../consumer-grants.ts'
import { attention, type Finding, fine } from './finding.ts'
import type { ProbeFailure } from './probe-runway.ts'

/** What was found of a consumer's role. */
export type ConsumerRights = {
  readonly role: string
  readonly missing: readonly TableGrant[]
  readonly closedSchemas: readonly string[]
}

/** Judges whether a consumer's role has all that it needs, with the grants to give. Pure. */
export function judgeGrants({ role, missing, closedSchemas }: ConsumerRights): Finding {
  const name = identifier(role)
  const grants = [
    ...closedSchemas.map((schema) => `grant usage on schema ${identifier(schema)} to ${name};`),
    ...missing.map(
      ({ schema, table, privileges }) =>
        `grant ${privileges.join(', ')} on ${qualified(schema, table)} to ${name};`,
    ),
  ]
  if (grants.length === 0) return fine('grants', role, 'the role has what a consumer needs')
  return attention('grants', role, 'the role lacks what a consumer needs', grants.join(' '))
}

/** Judges what an insert for that day, as the consumer's role, has met. Pure. */
export function judgeProbe(
  table: string,
  day: Day,
  rights: ConsumerRights,
  failure: ProbeFailure | null,
): Finding {
  const { role } = rights
  if (failure === null) return fine('probe', table, `an event of ${day} can be marked as role ${role}`)
  const found = `an event of ${day} could not be marked as role ${role}: ${failure.complaint.message}`
  return attention('probe', table, found, adviceOn(rights, failure))
}

function adviceOn(
  { role, missing, closedSchemas }: ConsumerRights,
  { step, complaint }: ProbeFailure,
): string {
  const name = identifier(role)
  if (step === 'role')
    return `let the role of MAINTENANCE_DATABASE_URL act as it: grant ${name} to it, or leave --as out and set DATABASE_URL`
  if (complaint.sqlstate === SQLSTATE.checkViolation && complaint.constraint === null)
    return 'run `daymark apply`, and see why the worker did not'
  if (complaint.sqlstate === SQLSTATE.invalidColumnReference)
    return 'the key over (consumer_group, event_id, marker_day) is missing or not valid: without it nothing is a duplicate. Make it again before anything is consumed'
  if (complaint.sqlstate !== SQLSTATE.insufficientPrivilege)
    return 'see what the database says; the consumer would meet the same'
  if (missing.length + closedSchemas.length > 0) return 'give the role what `grants` names'
  return `row security refuses it: give ${name} a policy that lets it read and write every marker, or the right bypassrls`
}
