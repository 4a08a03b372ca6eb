import { collectDefaultMetrics, Registry } from 'prom-client'
import type { ConsumerObserver } from '../consumer/consumer-observer.ts'
import type { MaintenanceObserver } from '../maintenance/maintenance-observer.ts'
import type { Log } from '../process/log.ts'
import { openConsumerMetrics } from './consumer-metrics.ts'
import { openMaintenanceMetrics } from './maintenance-metrics.ts'
import { refreshSources, type ScrapeSource } from './scrape-source.ts'

/** All that Prometheus can read of this process. The runbook's names are the runbook's; all others begin with daymark_. */
export type Metrics = {
  readonly contentType: string
  /** What a scrape gets; never rejects because of a source. */
  text(): Promise<string>
  readonly consumerObserver: ConsumerObserver
  readonly maintenanceObserver: MaintenanceObserver
  /** Adds figures that are asked for at each scrape; they make their gauges in the registry. */
  addSource(open: (registry: Registry) => ScrapeSource): void
}

/** Opens a registry of its own, so that a program which uses daymark as a library keeps its own apart. */
export function openMetrics(tables: readonly string[], log: Log): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const sources: ScrapeSource[] = []
  return {
    contentType: registry.contentType,
    async text() {
      await refreshSources(sources, log)
      return registry.metrics()
    },
    consumerObserver: openConsumerMetrics(registry),
    maintenanceObserver: openMaintenanceMetrics(registry, tables),
    addSource: (open) => {
      sources.push(open(registry))
    },
  }
}
