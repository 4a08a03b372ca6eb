import { allowed, runGuarded } from '../postgres/guarded-work.ts'
import type { Answer, Queryable } from '../postgres/queryable.ts'
import type { HandlerTransaction } from './handler.ts'
import { HandlerLeftTransactionError } from './handler-left-transaction-error.ts'
import { codeOf } from './sql-text.ts'

/** What a handler may use of a session, and for how long. */
export type OpenedHandlerTransaction = {
  readonly tx: HandlerTransaction
  /** Ends the handler's time. Rejects where it tried to end the transaction, or has not awaited one of its queries. */
  close(): Promise<void>
}

/** Statements that end a transaction or begin another. `rollback to` and `savepoint` stay inside and are allowed. */
const CONTROL =
  /(?:^|;)\s*(begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:work\s+|transaction\s+)?to\b))\b/i
/** Nearly every statement has none of these words; only the others are read closely. */
const MAY_BE_CONTROL = /\b(?:begin|start|commit|end|abort|prepare|rollback)\b/i

export function openHandlerTransaction(session: Queryable): OpenedHandlerTransaction {
  const pending = new Set<Promise<unknown>>()
  let closed = false
  let refusal: HandlerLeftTransactionError | undefined

  function query<Row>(text: string, values?: readonly unknown[]): Promise<Answer<Row>> {
    const answered = send<Row>(text, values)
    // Where nobody awaits it, close() says so; as an unhandled rejection it would end the process.
    if (!closed) answered.catch(() => undefined)
    return answered
  }

  async function send<Row>(text: string, values?: readonly unknown[]): Promise<Answer<Row>> {
    if (closed) {
      throw new HandlerLeftTransactionError(
        'querying through tx: the handler has returned already, so this would not be part of its transaction. ' +
          'Await every tx.query before the handler returns.',
      )
    }
    if (typeof text !== 'string') {
      throw new TypeError(`querying through tx: expected the text of a statement, got ${typeof text}`)
    }
    // Without values PostgreSQL runs several statements of one text, so it is not only the first that matters.
    const control = MAY_BE_CONTROL.test(text) ? CONTROL.exec(codeOf(text)) : null
    if (control) {
      refusal ??= new HandlerLeftTransactionError(
        `querying through tx: "${control[1]}" would end the transaction that the markers are in. ` +
          'Leave it out: daymark commits when the handler returns, and rolls back when it throws.',
      )
      throw refusal
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
      // Also where the handler has caught it: what it wanted has not happened.
      if (refusal) throw refusal
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
