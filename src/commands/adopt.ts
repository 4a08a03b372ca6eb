import { parseTableName } from '../configuration/table-name.ts'
import type { Adoption } from '../maintenance/adoption.ts'
import { isSuccess } from '../maintenance/outcome.ts'
import { planAdoption, runAdopt } from '../maintenance/run-adopt.ts'
import { listenForShutdown } from '../process/shutdown.ts'
import { confirm } from './confirm.ts'
import type { EntryOptions } from './entry.ts'
import { escapedText } from './escaped-text.ts'
import { openCommandParts } from './open-command-parts.ts'
import { stepText } from './plan-text.ts'
import { printJson, printMessage, printText } from './print.ts'
import { RefusedError } from './refused-error.ts'
import { runReportText } from './run-report-text.ts'
import { UsageError } from './usage-error.ts'

/** Takes a marker table from before daymark on: shows what that means, and with `--yes`, or where asked, does it. */
export async function adopt(options: EntryOptions): Promise<number> {
  const given = options.args[0] ?? ''
  const name = parseTableName(given)
  if (name === null)
    throw new UsageError(
      `expected a table as schema.table, such as public.processed_events, got '${escapedText(given)}'`,
    )
  const { parts, policies } = await openCommandParts(options)
  const [markers] = policies
  if (markers === undefined) throw new RefusedError('adopting a table: no table is named to look after')
  const adoption = await planAdoption(parts, markers, name)
  if (adoption.kind === 'refuse') throw new RefusedError(adoption.reasons.join('\n'))
  if (options.json && options.plan) printJson({ adoption })
  else if (!options.json) printText(adoptionText(given, adoption))
  if (options.plan || adoption.kind === 'maintain') return 0
  if (!(await confirm(`Adopting ${given}`, options.yes))) return 1

  using shutdown = listenForShutdown(parts.log)
  const report = await runAdopt(parts, markers, adoption.step, shutdown.signal)
  if (options.json) printJson({ run: report })
  else printText(runReportText(report))
  if (report.outcome === 'locked') printMessage('another run is at it: try again when it has ended')
  return report.outcome !== 'locked' && isSuccess(report.outcome) ? 0 : 1
}

function adoptionText(name: string, adoption: Exclude<Adoption, { kind: 'refuse' }>): string {
  const notes = adoption.notes.map((note) => `  note: ${note}`)
  if (adoption.kind === 'adopt') return [stepText(adoption.step, 0), ...notes].join('\n')
  const tables = JSON.stringify({ tables: { [name]: { retention: '30 days' } } })
  return [
    `${name} is partitioned by ${adoption.column}, and need not be adopted: daymark's worker looks after it as it is.`,
    `  in daymark.config.json, with a retention of yours: ${tables}`,
    ...notes,
  ].join('\n')
}
