/** What the page shows, read from where it is kept. Each rejects where it cannot be had now. */
export type PageSource = {
  /** What `status --json` prints. */
  readonly readState: () => Promise<object>
  /** What `plan --json` prints. */
  readonly readPlans: () => Promise<object>
  /** What `config print --json` prints; secrets masked. */
  readonly readSettings: () => Promise<object>
  /** How many events this process took lately, by outcome. */
  readonly readRates: () => Promise<object>
}
