import { isDay } from '../calendar/period.ts'
import { parseTableName } from '../configuration/table-name.ts'
import { isSuccess } from '../maintenance/outcome.ts'
import { type Policy, tableOf } from '../maintenance/policy.ts'
import { runReattach } from '../maintenance/run-reattach.ts'
import { listenForShutdown } from '../process/shutdown.ts'
import type { EntryOptions } from './entry.ts'
import { escapedText } from './escaped-text.ts'
import { openCommandParts } from './open-command-parts.ts'
import { printJson, printText } from './print.ts'
import { runReportText } from './run-report-text.ts'
import { UsageError } from './usage-error.ts'

/** Brings a day back that was removed and parked, of the marker table or of the one that is named. */
export async function reattach(options: EntryOptions): Promise<number> {
  const day = options.args[0] ?? ''
  if (!isDay(day))
    throw new UsageError(`expected the day to be written like '2026-08-01', got '${escapedText(day)}'`)
  const { parts, policies } = await openCommandParts(options)
  const policy = policyOf(policies, options.given.table)
  using shutdown = listenForShutdown(parts.log)
  const report = await runReattach(parts, policy, day, shutdown.signal)
  if (options.json) printJson({ run: report })
  else printText(runReportText(report))
  return report.outcome !== 'locked' && isSuccess(report.outcome) ? 0 : 1
}

/** The marker table's policy is the first. */
function policyOf(policies: readonly Policy[], name: string | undefined): Policy {
  const wanted = name === undefined ? null : parseTableName(name)
  const policy =
    name === undefined
      ? policies[0]
      : policies.find(({ schema, table }) => schema === wanted?.schema && table === wanted.table)
  if (policy !== undefined) return policy
  throw new UsageError(
    `expected --table to be one of ${policies.map(tableOf).join(', ')}, got '${escapedText(name ?? '')}'`,
  )
}
