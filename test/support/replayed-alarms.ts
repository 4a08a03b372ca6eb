import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Series } from './prometheus.ts'
import { makeScratchDirectory } from './scratch-directory.ts'

const RULES = fileURLToPath(new URL('../../deploy/prometheus/alerts.yaml', import.meta.url))

/** What a real Prometheus had scraped when these alarms fired; none where all was well. */
export type Moment = { readonly alarms: readonly string[]; readonly series: readonly Series[] }

const WELL_MINUTES = 120
const FAULT_MINUTES = 280

/**
 * Plays real series to the alarms as they are shipped: two hours as they were while all was well, then hours as they
 * were under a fault. The first moment is the one where all was well.
 */
export function assertReplayed([well, ...faults]: readonly Moment[]): void {
  assert.ok(well !== undefined && well.alarms.length === 0 && faults.length > 0)
  using scratch = makeScratchDirectory()
  const file = join(scratch.path, 'replayed.test.json')
  const tests = [testOf(well, well), ...faults.map((fault) => testOf(well, fault))]
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }))
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
}

function testOf(well: Moment, fault: Moment) {
  const before = new Map(well.series.map((series) => [nameOf(series), series]))
  const behind = new Map(fault.series.map((series) => [nameOf(series), series]))
  const eval_time = `${WELL_MINUTES + FAULT_MINUTES}m`
  const fired = (names: string): string =>
    `(count(max_over_time(ALERTS{alertname=~"${names}",alertstate="firing"}[${eval_time}])) or vector(0)) > bool 0`
  return {
    name: fault.alarms.join(', ') || 'all is well',
    interval: '1m',
    input_series: [...new Set([...before.keys(), ...behind.keys()])].map((name) => ({
      series: name,
      values: valuesOf(name, before.get(name), behind.get(name), fault.alarms.length === 0),
    })),
    promql_expr_test:
      fault.alarms.length === 0
        ? [{ expr: fired('.*'), eval_time, exp_samples: [{ value: 0 }] }]
        : fault.alarms.map((name) => ({ expr: fired(name), eval_time, exp_samples: [{ value: 1 }] })),
  }
}

/** promtool's time begins at 0, so a moment of ours cannot be taken over: maintenance succeeds until the fault. */
function valuesOf(name: string, before?: Series, behind?: Series, isWell = false): string {
  if (name.includes('_timestamp_seconds'))
    return isWell
      ? `0+60x${WELL_MINUTES + FAULT_MINUTES}`
      : `0+60x${WELL_MINUTES} ${WELL_MINUTES * 60}x${FAULT_MINUTES}`
  return `${held(before, WELL_MINUTES)} ${held(behind, FAULT_MINUTES)}`
}

function held(series: Series | undefined, minutes: number): string {
  if (series === undefined) return `_x${minutes}`
  const { value } = series
  if (!Number.isFinite(value)) return `${value > 0 ? '+Inf' : '-Inf'} `.repeat(minutes).trim()
  return `${value.toFixed(6)}x${minutes}`
}

function nameOf({ name, labels }: Series): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`)
  return `${name}{${pairs.sort().join(',')}}`
}
