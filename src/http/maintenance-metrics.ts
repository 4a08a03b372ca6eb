import { Counter, Histogram, type Registry } from 'prom-client'
import type { MaintenanceObserver } from '../maintenance/maintenance-observer.ts'
import { OUTCOMES } from '../maintenance/outcome.ts'
import { RUN_KINDS } from '../maintenance/policy.ts'

/** Bounds in seconds around the stall budget of 100 ms. */
const WAIT_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10, 60, 600]

/** What maintenance did, fed by each step and run. Each outcome of the named tables is there from the start, at 0. */
export function openMaintenanceMetrics(registry: Registry, tables: readonly string[]): MaintenanceObserver {
  const runs = new Counter({
    name: 'daymark_maintenance_runs_total',
    help: 'Runs of maintenance by how they ended.',
    labelNames: ['table', 'kind', 'outcome'],
    registers: [registry],
  })
  for (const table of tables) {
    for (const kind of RUN_KINDS) {
      for (const outcome of OUTCOMES) runs.inc({ table, kind, outcome }, 0)
    }
  }
  const waits = new Histogram({
    name: 'daymark_ddl_lock_wait_seconds',
    help: 'How long steps of maintenance waited for their locks.',
    labelNames: ['table', 'step'],
    buckets: WAIT_BUCKETS,
    registers: [registry],
  })
  const pruned = new Counter({
    name: 'daymark_pruned_rows_total',
    help: 'Old rows deleted from tables without partitions.',
    labelNames: ['table'],
    registers: [registry],
  })
  return {
    runFinished: ({ table, kind, outcome }) => runs.inc({ table, kind, outcome }),
    stepTaken: ({ table, step, waitedMs }) => waits.observe({ table, step }, waitedMs / 1000),
    rowsPruned: ({ table, batchRows }) => pruned.inc({ table }, batchRows),
  }
}
