/**
 * The database or the broker refused at start, or the database is not ready for this command. Ends with exit code 2,
 * because something has to be set otherwise before a second try can go better.
 */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly code = 'REFUSED'
}
