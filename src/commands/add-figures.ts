import { openDeadLetterMetrics } from '../http/dead-letter-metrics.ts'
import { openLagMetrics } from '../http/lag-metrics.ts'
import type { Metrics } from '../http/metrics.ts'
import { listDeadLettersByReason } from '../http/sql/list-dead-letters-by-reason.ts'
import { openTableMetrics } from '../http/table-metrics.ts'
import type { Policy } from '../maintenance/policy.ts'
import type { Database } from '../postgres/database.ts'
import type { Running } from './running.ts'
import { readTableStanding } from './table-standing.ts'

/** Adds to the metrics what is asked for at each scrape: the tables, the dead letters, the lag. */
export function addFigures(
  metrics: Metrics,
  policies: readonly Policy[],
  database: Database,
  running: Running,
): void {
  const readStandings = () => Promise.all(policies.map((policy) => readTableStanding(database, policy)))
  metrics.addSource((registry) => openTableMetrics(registry, readStandings))
  metrics.addSource((registry) => openDeadLetterMetrics(registry, () => listDeadLettersByReason(database)))
  metrics.addSource((registry) =>
    openLagMetrics(registry, () => running.consumer?.snapshot().partitions ?? [], Date.now),
  )
}
