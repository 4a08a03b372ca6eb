/** How long inserts took while something else was done. */
export type InsertWaits = {
  readonly inserts: number
  readonly longestInsertWaitMs: number
  readonly p99InsertMs: number
}
