import { SQLSTATE, sqlstateOf } from '../postgres/sqlstate.ts'
import type { Outcome } from './outcome.ts'
import { StepError } from './step-error.ts'

/** Lost against another session: nothing was changed, and the next try may win. */
const CONTENDED: readonly string[] = [
  SQLSTATE.lockNotAvailable,
  SQLSTATE.queryCanceled,
  SQLSTATE.deadlockDetected,
  SQLSTATE.serializationFailure,
  // Another session did the same at the same moment, or another detach is pending.
  SQLSTATE.uniqueViolation,
  SQLSTATE.undefinedTable,
  SQLSTATE.objectNotInPrerequisiteState,
]

/** A person must change something first: the next try would end the same way. */
const REFUSED: readonly string[] = [
  SQLSTATE.insufficientPrivilege,
  SQLSTATE.dependentObjects,
  SQLSTATE.duplicateTable,
  SQLSTATE.duplicateObject,
  SQLSTATE.checkViolation,
  SQLSTATE.wrongObjectType,
  SQLSTATE.datatypeMismatch,
  SQLSTATE.invalidObjectDefinition,
  SQLSTATE.readOnlyTransaction,
]

/** What an error in a step comes to. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof StepError) return error.outcome
  const sqlstate = sqlstateOf(error)
  if (sqlstate === null) return 'failed'
  if (CONTENDED.includes(sqlstate)) return 'contended'
  return REFUSED.includes(sqlstate) ? 'refused' : 'failed'
}
