/** A handler tried to step out of the transaction that makes its effects and the markers one. */
export class HandlerLeftTransactionError extends Error {
  override readonly name = 'HandlerLeftTransactionError'
  readonly code = 'HANDLER_LEFT_TRANSACTION'
}
