import { Gauge, type Registry } from 'prom-client'
import type { DeadReason } from '../consumer/event.ts'
import { askOnce } from './ask-once.ts'
import type { ScrapeSource } from './scrape-source.ts'

/** How many dead letters wait to be looked at, by the reason; of all groups together. */
export function openDeadLetterMetrics(
  registry: Registry,
  read: () => Promise<readonly { readonly reason: string; readonly waiting: number }[]>,
): ScrapeSource {
  const gauge = new Gauge({
    name: 'daymark_dead_letters',
    help: 'Dead letters that wait to be looked at.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const readOnce = askOnce(read)
  return {
    name: 'dead letters',
    clear: () => gauge.reset(),
    async refresh() {
      const counts = await readOnce()
      gauge.reset()
      for (const reason of DEAD_REASONS) gauge.set({ reason }, 0)
      for (const { reason, waiting } of counts) gauge.inc({ reason }, waiting)
    },
  }
}

/** Each is there from the start, at 0, so that an alert on growth sees the first one. */
const DEAD_REASONS = [
  'bad-id',
  'bad-time',
  'undecodable',
  'expired',
  'future',
  'handler',
  'id-reused',
] as const satisfies readonly DeadReason[]
