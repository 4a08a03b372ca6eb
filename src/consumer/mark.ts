import type { Session } from '../postgres/session.ts'
import type { Candidates } from './candidates.ts'
import { fusedParameters } from './effect-parameters.ts'
import type { EffectStatement } from './effect-statement.ts'
import type { Batch } from './event.ts'
import { markerColumns, markerRows } from './marker-columns.ts'
import { decideOutcomes, type MarkerKey, type Outcomes } from './outcomes.ts'
import { deleteMarkers } from './sql/delete-markers.ts'
import { findMarkers } from './sql/find-markers.ts'
import { insertMarkers } from './sql/insert-markers.ts'

/** Marks the candidates of a batch, and says which of them are new. */
export async function mark(
  session: Session,
  group: string,
  batch: Batch,
  candidates: Candidates,
): Promise<Outcomes> {
  const rows = markerRows(candidates.toMark)
  const conflicts =
    rows.length === 0
      ? []
      : await insertMarkers(session, group, batch.topic, batch.partition, markerColumns(rows))
  return settleConflicts(session, group, batch, candidates, conflicts)
}

/** Marks the candidates and applies the effects of the new ones, in one statement. */
export async function applyFused(
  session: Session,
  group: string,
  batch: Batch,
  candidates: Candidates,
  statement: EffectStatement,
): Promise<Outcomes> {
  const rows = markerRows(candidates.toMark)
  if (rows.length === 0) return settleConflicts(session, group, batch, candidates, [])
  const parameters = fusedParameters(statement, group, batch.topic, batch.partition, rows)
  const { rows: conflicts } = await session.query<MarkerKey>(statement.fused, parameters)
  return settleConflicts(session, group, batch, candidates, conflicts)
}

/**
 * The rows that stood in the way are read by a statement of their own: one that another transaction committed while
 * the insert waited for it is not visible to the insert itself.
 */
async function settleConflicts(
  session: Session,
  group: string,
  batch: Batch,
  candidates: Candidates,
  conflicts: readonly MarkerKey[],
): Promise<Outcomes> {
  const standing = conflicts.length === 0 ? [] : await findMarkers(session, group, conflicts)
  const outcomes = decideOutcomes(batch, candidates, conflicts, standing)
  if (outcomes.toTakeBack.length > 0) await deleteMarkers(session, group, outcomes.toTakeBack)
  return outcomes
}
