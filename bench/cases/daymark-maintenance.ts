import { maintain } from '../../src/maintenance/maintain.ts'
import { silentObserver } from '../../src/maintenance/maintenance-observer.ts'
import { DEFAULT_POLICY, type RunKind } from '../../src/maintenance/policy.ts'
import { silentLog } from '../../src/process/log.ts'
import { settingsOf } from '../support/database-settings-of.ts'
import { RETENTION_DAYS, RUNWAY_DAYS } from '../support/maintained-days.ts'
import type { MaintenanceCase } from './maintenance-case.ts'

const POLICY = {
  ...DEFAULT_POLICY,
  retention: { kind: 'given', ms: RETENTION_DAYS * 86_400_000 },
  runwayDays: RUNWAY_DAYS + 1,
} as const

/** Both runs, as the worker does them. */
export const daymarkMaintenance: MaintenanceCase = {
  name: 'daymark',
  table: 'partitioned',
  async pass({ url }) {
    for (const kind of ['make', 'remove'] as const) await run(url, kind)
    return 1
  },
}

async function run(url: string, kind: RunKind): Promise<void> {
  const parts = { direct: settingsOf(url, 1), kafka: null, log: silentLog, observer: silentObserver }
  const signal = new AbortController().signal
  const { outcome, steps } = await maintain(parts, POLICY, { kind, trigger: 'command', signal })
  if (outcome !== 'done' || steps.length !== 1) {
    const found = steps.map(({ step, outcome: each, error }) => `${step.kind} ${each} ${error ?? ''}`)
    throw new Error(`running ${kind}: expected one step to be done, got ${found.join(', ')}`)
  }
}
