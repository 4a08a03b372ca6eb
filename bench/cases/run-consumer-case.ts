import { peakRssMb } from '../support/peak-rss.ts'
import { percentile } from '../support/percentile.ts'
import type { ConsumerCase, ConsumerCaseInput, ConsumerCaseName } from './consumer-case.ts'
import { daymarkConsumer } from './daymark-consumer.ts'
import { fromMemory } from './from-memory.ts'
import { perEvent8 } from './per-event-8.ts'
import { runbookLoop } from './runbook-loop.ts'

/** What a case is measured by. */
export type ConsumerFigures = {
  readonly events: number
  readonly eventsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly peakRssMb: number
}

const CASES: Readonly<Record<ConsumerCaseName, ConsumerCase>> = {
  'runbook-loop': runbookLoop,
  'per-event-8': perEvent8,
  'daymark-typescript': (input) => daymarkConsumer('handler.ts', input),
  'daymark-sql': (input) => daymarkConsumer('effect.sql', input),
  'from-memory': fromMemory,
}

/** Runs one case in this process, which exists for it alone. */
async function runCase(name: ConsumerCaseName, input: ConsumerCaseInput): Promise<ConsumerFigures> {
  const { events, tookMs, transactionsMs } = await CASES[name](input)
  return {
    events,
    eventsPerSecond: (events / tookMs) * 1_000,
    p50Ms: percentile(transactionsMs, 0.5),
    p99Ms: percentile(transactionsMs, 0.99),
    peakRssMb: peakRssMb(),
  }
}

const [name = '', input = ''] = process.argv.slice(2)
process.send?.(await runCase(name as ConsumerCaseName, JSON.parse(input)))
process.disconnect?.()
