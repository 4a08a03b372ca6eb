/** The command line asks for something that cannot be: what was expected, and what was found. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'USAGE'
}
