/** A consumer cannot start as it is configured: what was found, and what to do. */
export class ConsumerStartError extends Error {
  override readonly name = 'ConsumerStartError'
  readonly code = 'CONSUMER_START'
}
