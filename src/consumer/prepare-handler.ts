import type { Queryable } from '../postgres/queryable.ts'
import { complaintOf } from '../postgres/sqlstate.ts'
import type { ReadyHandler } from './apply-effects.ts'
import { fusedParameters, separateParameters } from './effect-parameters.ts'
import { buildEffectStatement, type EffectStatement } from './effect-statement.ts'
import type { Handler } from './handler.ts'
import { explainStatement } from './sql/explain-statement.ts'
import { ConsumerStartError } from './start-error.ts'

/**
 * Makes a handler ready. A statement is explained, so that a mistake in it is a clear sentence before anything is
 * consumed. It is fused with the markers where the database takes it as a part of a larger statement: an INSERT,
 * UPDATE or DELETE (a SELECT that nobody reads would not run), whose own CTEs write nothing; MERGE since 17.
 */
export async function prepareHandler(db: Queryable, handler: Handler): Promise<ReadyHandler> {
  if (handler.kind !== 'sql') return handler
  const statement = buildEffectStatement(handler.text)
  const node = await explainSeparate(db, statement)
  return { kind: 'sql', statement, isFused: node === 'ModifyTable' && (await canBeFused(db, statement)) }
}

async function explainSeparate(db: Queryable, statement: EffectStatement): Promise<string> {
  try {
    return await explainStatement(db, statement.separate, separateParameters(statement, '', 0, []))
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

async function canBeFused(db: Queryable, statement: EffectStatement): Promise<boolean> {
  try {
    await explainStatement(db, statement.fused, fusedParameters(statement, '', '', 0, []))
    return true
  } catch (error) {
    // Refused as a part of a larger statement: then it runs by itself, after the markers.
    if (complaintOf(error)?.sqlstate == null) throw error
    return false
  }
}
