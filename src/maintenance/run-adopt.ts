import { type Adoption, judgeAdoption } from './adoption.ts'
import type { MaintenanceParts } from './maintenance-parts.ts'
import { openMaintenanceSession } from './open-maintenance-session.ts'
import type { Policy } from './policy.ts'
import type { RunReport } from './run.ts'
import { openRunJournal } from './run-journal.ts'
import { takeRunLock } from './run-lock.ts'
import { findAdoptable } from './sql/find-adoptable.ts'
import { findPartmanConfig } from './sql/find-partman-config.ts'
import { findPartmanSchema } from './sql/find-partman-schema.ts'
import type { Step } from './step.ts'
import { lookAtTable } from './table-plan.ts'
import { takeStep } from './take-step.ts'
import { workOf } from './work.ts'

type Name = { readonly schema: string; readonly table: string }

/** Looks at a table that somebody has, and says what would be done. Changes nothing. */
export async function planAdoption(parts: MaintenanceParts, markers: Policy, name: Name): Promise<Adoption> {
  await using session = await openMaintenanceSession(parts.direct)
  const facts = await findAdoptable(session, name.schema, name.table)
  const schema = await findPartmanSchema(session)
  const config =
    schema === null ? null : await findPartmanConfig(session, schema, `${name.schema}.${name.table}`)
  return judgeAdoption(markers, name, facts, schema === null ? null : { schema, config })
}

/** Adopts it: a run of one step, asked for by a person, beside no other that removes. */
export async function runAdopt(
  parts: MaintenanceParts,
  markers: Policy,
  step: Step,
  signal: AbortSignal,
): Promise<RunReport> {
  const journal = openRunJournal(parts, markers, { kind: 'remove', trigger: 'command', signal })
  await using session = await openMaintenanceSession(parts.direct)
  const lock = await takeRunLock(session, markers, 'remove')
  if (!lock.isHeld) return await journal.locked(session, lock.holder)
  const { view } = await lookAtTable(session, parts, markers)
  const work = workOf(parts, session, markers, view, lock, signal)
  await journal.step(session, await takeStep(work, step))
  return await journal.end(session)
}
