import { planAdoption, runAdopt } from '../../src/maintenance/run-adopt.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { OWN_RETENTION, partsOf } from './maintenance-bench.ts'

/** Adopts `runbook.processed_events`, and answers the outcomes of its steps. */
export async function adoptAs(db: TestDatabase): Promise<string[]> {
  const parts = partsOf(db)
  const adoption = await planAdoption(parts, OWN_RETENTION, { schema: 'runbook', table: 'processed_events' })
  if (adoption.kind !== 'adopt') throw new Error(`expected it to be adopted, got ${JSON.stringify(adoption)}`)
  const report = await runAdopt(parts, OWN_RETENTION, adoption.step, new AbortController().signal)
  return report.steps.map(({ outcome, error }) => (error === null ? outcome : `${outcome}: ${error}`))
}
