import type { MeterLimit, Reading } from '../support/meter.ts'

/** The names under which the cases are printed, in the order in which they run. */
export const CONSUMER_CASES = [
  'runbook-loop',
  'per-event-8',
  'daymark-typescript',
  'daymark-sql',
  'from-memory',
] as const

export type ConsumerCaseName = (typeof CONSUMER_CASES)[number]

/** What a case works on: a database of its own, and the topic that all share. */
export type ConsumerCaseInput = {
  readonly databaseUrl: string
  readonly broker: string
  readonly topic: string
  readonly limit: MeterLimit
}

export type ConsumerCase = (input: ConsumerCaseInput) => Promise<Reading>
