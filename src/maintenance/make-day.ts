import { qualified } from '../postgres/identifier.ts'
import { SQLSTATE, sqlstateOf } from '../postgres/sqlstate.ts'
import type { Outcome } from './outcome.ts'
import { dayOfPartition, partitionInTheWay } from './partition.ts'
import { tableOf } from './policy.ts'
import { lockFence } from './sql/lock-fence.ts'
import type { StepOf } from './step.ts'
import { StepError } from './step-error.ts'
import type { StepWait } from './step-wait.ts'
import { tryInTransaction } from './try-step.ts'
import { partitionsNow, type Work } from './work.ts'

/** Every way in which a race for a day can be lost, and what a table that is in the way answers. */
const LOST: readonly (string | null)[] = [
  SQLSTATE.duplicateTable,
  SQLSTATE.uniqueViolation,
  SQLSTATE.duplicateObject,
  SQLSTATE.wrongObjectType,
  SQLSTATE.invalidObjectDefinition,
]

/**
 * Makes a day, in one transaction: what was made and could not be attached is gone with it, also where this process is
 * killed. Its locks: access share on the parent by `like`, then share update exclusive by ATTACH, for which it waits at
 * most two seconds, behind ANALYZE or a detach that is being finished. Neither stops a writer.
 */
export async function makeDay(work: Work, step: StepOf<'make-day'>, wait: StepWait): Promise<Outcome> {
  const patience = { tries: 3, lockTimeoutMs: patienceMs(work), statementTimeoutMs: 60_000 }
  try {
    return await tryInTransaction(work, wait, patience, async (session) => {
      const fence = await lockFence(session, work.policy.schema, work.policy.table)
      // Fenced since the plan was made: a day that was dropped is never made again.
      if (fence !== null && step.day <= fence) return 'already'
      for (const statement of step.sql) await session.query(statement)
      return 'done'
    })
  } catch (error) {
    if (LOST.includes(sqlstateOf(error)) && (await isMade(work, step))) return 'already'
    throw await explained(work, step, error)
  }
}

/** With a default partition ATTACH locks it against writers and scans it: then only the stall budget is waited for. */
function patienceMs(work: Work): number {
  return work.hasDefault ? work.policy.stallBudgetMs / 2 : 2_000
}

async function isMade(work: Work, step: StepOf<'make-day'>): Promise<boolean> {
  const partitions = await partitionsNow(work)
  return partitions.some((partition) => dayOfPartition(partition) === step.day && !partition.isPending)
}

async function explained(work: Work, step: StepOf<'make-day'>, error: unknown): Promise<unknown> {
  const name = qualified(work.policy.schema, step.partition ?? '')
  const doing = `making ${step.day} of ${tableOf(work.policy)}`
  switch (sqlstateOf(error)) {
    case SQLSTATE.duplicateTable:
    case SQLSTATE.uniqueViolation:
    case SQLSTATE.duplicateObject:
      return new StepError(
        'refused',
        `${doing}: something else is called ${name}. Look at it, then attach, rename or drop it`,
        { cause: error },
      )
    case SQLSTATE.invalidObjectDefinition: {
      const other = partitionInTheWay(await partitionsNow(work), step.day)
      return new StepError(
        'refused',
        `${doing}: partition ${other?.name ?? '(unknown)'} overlaps it. Give it bounds at UTC midnight`,
        { cause: error },
      )
    }
    case SQLSTATE.checkViolation:
      return new StepError(
        'refused',
        `${doing}: the default partition holds rows of that day. Move them out and detach it`,
        { cause: error },
      )
    default:
      return error
  }
}
