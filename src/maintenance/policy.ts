import { identifier } from '../postgres/identifier.ts'

/** What an operator wants for one day-partitioned table. */
export type Policy = {
  readonly schema: string
  readonly table: string
  /** The topics that feed the table, beside those found in its consumers' progress. */
  readonly topics: readonly string[]
  /** For a table without partitions: the column that says when a row was written, by which old rows are deleted. */
  readonly unpartitioned: { readonly by: string } | null
  /**
   * How long a day is kept after it has ended. `given` is also the consent to remove days while a topic keeps its
   * records without limit: the fence alone then stops a replay from applying them again.
   */
  readonly retention: { readonly kind: 'from-topics' } | { readonly kind: 'given'; readonly ms: number }
  /** How many days ahead have a partition. */
  readonly runwayDays: number
  /** How far back the first run makes days at most. */
  readonly maxDaysBack: number
  readonly maxDropsPerRun: number
  /** How long a removed day is parked, detached, before it is dropped: until then it can be attached again. 0: not at all. */
  readonly keepDetachedMs: number
  /** The longest that a step may make a writer wait. */
  readonly stallBudgetMs: number
  /** How late a record may be published after the day that it is marked for: added to the retention. */
  readonly maxPublishDelayMs: number
}

export const DEFAULT_POLICY: Policy = {
  schema: 'daymark',
  table: 'processed_events',
  topics: [],
  unpartitioned: null,
  retention: { kind: 'from-topics' },
  runwayDays: 7,
  maxDaysBack: 45,
  maxDropsPerRun: 30,
  keepDetachedMs: 0,
  stallBudgetMs: 100,
  maxPublishDelayMs: 0,
}

/** The table's name for people, for logs and for the keys of its runs: a dot in a name must not make two tables one. */
export function tableOf(policy: Pick<Policy, 'schema' | 'table'>): string {
  return [policy.schema, policy.table].map((name) => (/[."]/.test(name) ? identifier(name) : name)).join('.')
}

/** Making and removing days are separate runs with separate locks: a removal that waits for hours delays nothing. */
export type RunKind = 'make' | 'remove'

export const RUN_KINDS: readonly RunKind[] = ['make', 'remove']

export type RunTrigger = 'start' | 'schedule' | 'request' | 'command'
