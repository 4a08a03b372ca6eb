/** A server of this machine could not be started: what was tried, what was found, what to do. Ends with exit code 2. */
export class LocalServerError extends Error {
  override readonly name = 'LocalServerError'
  readonly code = 'LOCAL_SERVER'
}
