import type { Answer, Queryable } from '../postgres/queryable.ts'
import type { HandlerTransaction } from './handler.ts'

/** A handler tried to step out of the transaction that makes its effects and the markers one. */
export class HandlerLeftTransactionError extends Error {
  override readonly name = 'HandlerLeftTransactionError'
  readonly code = 'HANDLER_LEFT_TRANSACTION'
}

/** What a handler may use of a session, and for how long. */
export type OpenedHandlerTransaction = {
  readonly tx: HandlerTransaction
  /** Ends the handler's time. Rejects where one of its queries has not been awaited. */
  close(): Promise<void>
}

/** Statements that end a transaction or begin another. `rollback to` and `savepoint` stay inside and are allowed. */
const CONTROL =
  /^\s*(?:--[^\n]*\n\s*|\/\*.*?\*\/\s*)*(begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:work\s+|transaction\s+)?to\b))\b/is

export function openHandlerTransaction(session: Queryable): OpenedHandlerTransaction {
  const pending = new Set<Promise<unknown>>()
  let closed = false
  async function query<Row>(text: string, values?: readonly unknown[]): Promise<Answer<Row>> {
    if (closed) {
      throw new HandlerLeftTransactionError(
        'querying through tx: the handler has returned already, so this would not be part of its transaction. ' +
          'Await every tx.query before the handler returns.',
      )
    }
    const control = CONTROL.exec(text)
    if (control) {
      throw new HandlerLeftTransactionError(
        `querying through tx: "${control[1]}" would end the transaction that the markers are in. ` +
          'Leave it out: daymark commits when the handler returns, and rolls back when it throws.',
      )
    }
    const answer = session.query<Row>(text, values)
    pending.add(answer)
    try {
      return await answer
    } finally {
      pending.delete(answer)
    }
  }
  return {
    tx: { query },
    async close() {
      closed = true
      const forgotten = pending.size
      await Promise.allSettled(pending)
      if (forgotten > 0) {
        throw new HandlerLeftTransactionError(
          `returning from the handler: ${forgotten} of its queries had not been awaited, so nobody would see them fail. ` +
            'Await every tx.query before the handler returns.',
        )
      }
    },
  }
}
