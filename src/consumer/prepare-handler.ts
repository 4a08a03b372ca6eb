import type { Queryable } from '../postgres/queryable.ts'
import { complaintOf } from '../postgres/sqlstate.ts'
import type { ReadyHandler } from './apply-effects.ts'
import { fusedParameters, separateParameters } from './effect-parameters.ts'
import { buildEffectStatement, type EffectForms, type ReadColumns, readColumns } from './effect-statement.ts'
import type { Handler } from './handler.ts'
import { type Explanation, explainStatement } from './sql/explain-statement.ts'
import { ConsumerStartError } from './start-error.ts'
import { updateWarning } from './update-warning.ts'

/**
 * Makes a handler ready. A statement is explained, so that a mistake in it is a clear sentence before anything is
 * consumed. It is fused with the markers where the database takes it as a part of a larger statement: an INSERT,
 * UPDATE or DELETE (a SELECT that nobody reads would not run), whose own CTEs write nothing; MERGE since 17.
 */
export async function prepareHandler(db: Queryable, handler: Handler): Promise<ReadyHandler> {
  if (handler.kind !== 'sql') return handler
  const forms = buildEffectStatement(handler.text)
  refuseParameters(forms)
  const { plan } = await explainSeparate(db, forms)
  const isFused = plan['Node Type'] === 'ModifyTable' && (await canBeFused(db, forms))
  const { separate, fused } = forms
  const reads = await findReadColumns(db, forms)
  return { kind: 'sql', statement: { separate, fused, reads }, isFused, warning: updateWarning(plan) }
}

/** They would silently be taken for daymark's own. */
function refuseParameters({ parameters }: EffectForms): void {
  if (parameters.length === 0) return
  throw new ConsumerStartError(
    `reading the effect statement: it contains ${parameters.join(', ')}, and nobody gives a parameter a value. ` +
      'Read what it needs from the rows of `events`, or write the value into the statement.',
  )
}

async function explainSeparate(db: Queryable, { separate }: EffectForms): Promise<Explanation> {
  try {
    return await explainStatement(db, separate, separateParameters({ reads: ALL }, '', 0, []))
  } catch (error) {
    const complaint = complaintOf(error)
    if (complaint?.sqlstate == null) throw error
    throw new ConsumerStartError(
      `reading the effect statement: PostgreSQL says "${complaint.message}" (${complaint.sqlstate}). ` +
        'It must be one statement that reads the rows of `events`: event_id, topic, partition, "offset", ' +
        'record_timestamp, key, value (jsonb), headers (jsonb).',
      { cause: error },
    )
  }
}

async function canBeFused(db: Queryable, { fused }: EffectForms): Promise<boolean> {
  try {
    await explainStatement(db, fused, fusedParameters({ reads: ALL }, '', '', 0, []))
    return true
  } catch (error) {
    // Refused as a part of a larger statement: then it runs by itself, after the markers.
    if (complaintOf(error)?.sqlstate == null) throw error
    return false
  }
}

/** What cannot be found out is sent. */
async function findReadColumns(db: Queryable, { probe }: EffectForms): Promise<ReadColumns> {
  try {
    return readColumns(
      (await explainStatement(db, probe, separateParameters({ reads: ALL }, '', 0, []))).text,
    )
  } catch (error) {
    if (complaintOf(error)?.sqlstate == null) throw error
    return ALL
  }
}

const ALL: ReadColumns = { key: true, headers: true }
