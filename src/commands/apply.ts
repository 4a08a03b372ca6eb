import { maintain } from '../maintenance/maintain.ts'
import type { MaintenanceParts } from '../maintenance/maintenance-parts.ts'
import { isSuccess } from '../maintenance/outcome.ts'
import { type Policy, RUN_KINDS, tableOf } from '../maintenance/policy.ts'
import type { RunReport } from '../maintenance/run.ts'
import { listenForShutdown } from '../process/shutdown.ts'
import type { CommandOptions } from './command-options.ts'
import { openCommandParts } from './open-command-parts.ts'
import { showPlans } from './plan.ts'
import { printJson, printMessage, printText } from './print.ts'
import { showPruning } from './prune-progress.ts'
import { runReportText } from './run-report-text.ts'

/**
 * Runs maintenance once, now: makes days, then removes days, table by table. A failure on one table does not stop the
 * next; the exit code is 1 when any run did not do all that there was to do.
 */
export async function apply(
  options: CommandOptions & { readonly dryRun: boolean; readonly json: boolean },
): Promise<number> {
  if (options.dryRun) return showPlans({ ...options, exitCode: false })
  const { parts: quiet, policies } = await openCommandParts(options)
  const parts = { ...quiet, observer: showPruning(process.stderr, Date.now) }
  using shutdown = listenForShutdown(parts.log)
  const reports: RunReport[] = []
  let failures = 0
  for (const policy of policies) {
    try {
      await applyTo(parts, policy, shutdown.signal, reports)
    } catch (error) {
      failures += 1
      printMessage(
        `maintaining ${tableOf(policy)}: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
  if (options.json) printJson({ runs: reports })
  else printText(reports.map(runReportText).join('\n'))
  return failures === 0 && reports.every(({ outcome }) => isSuccess(outcome)) ? 0 : 1
}

async function applyTo(
  parts: MaintenanceParts,
  policy: Policy,
  signal: AbortSignal,
  reports: RunReport[],
): Promise<void> {
  for (const kind of RUN_KINDS) {
    if (signal.aborted) return
    reports.push(await maintain(parts, policy, { kind, trigger: 'command', signal }))
  }
}
