import { allowed, runGuarded } from '../postgres/guarded-work.ts'
import type { Answer, Queryable } from '../postgres/queryable.ts'
import type { HandlerTransaction } from './handler.ts'
import { HandlerLeftTransactionError } from './handler-left-transaction-error.ts'

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
    const answer = allowed(() => session.query<Row>(text, values))
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

/** Runs a handler's code where no other connection can be had. */
export function runInsideTransaction(work: () => Promise<void>): Promise<void> {
  return runGuarded(
    (tried) =>
      new HandlerLeftTransactionError(
        `using ${tried} inside a handler: what it writes would commit apart from the markers, and be applied twice ` +
          'or not at all after a crash. Use the tx that the handler is given: await tx.query(text, values).',
      ),
    work,
  )
}
