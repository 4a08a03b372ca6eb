/**
 * What is wrong with the configuration: all of it at once, so that nobody mends one thing to hear of the next.
 * Ends with exit code 2. Every complaint says what was expected of which key, what was found, and where it stood.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'CONFIG'
  readonly complaints: readonly string[]

  constructor(complaints: readonly string[]) {
    super(
      complaints.length === 1
        ? complaints.join('')
        : `the configuration has ${complaints.length} problems:\n${complaints.map((text) => `  - ${text}`).join('\n')}`,
    )
    this.complaints = complaints
  }
}
