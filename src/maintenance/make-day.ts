import { qualified } from '../postgres/identifier.ts'
import { SQLSTATE, sqlstateOf } from '../postgres/sqlstate.ts'
import { attachPatience } from './attach-patience.ts'
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
  try {
    return await tryInTransaction(work, wait, attachPatience(work), async (session) => {
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

async function isMade(work: Work, step: StepOf<'make-day'>): Promise<boolean> {
  const partitions = await partitionsNow(work)
  return partitions.some((partition) => dayOfPartition(partition) === step.day && !partition.isPending)
}

async function explained(work: Work, step: StepOf<'make-day'>, error: unknown): Promise<unknown> {
  const found = await findingOf(work, step, sqlstateOf(error))
  if (found === null) return error
  return new StepError('refused', `making ${step.day} of ${tableOf(work.policy)}: ${found}`, { cause: error })
}

async function findingOf(
  work: Work,
  step: StepOf<'make-day'>,
  sqlstate: string | null,
): Promise<string | null> {
  switch (sqlstate) {
    case SQLSTATE.duplicateTable:
    case SQLSTATE.uniqueViolation:
    case SQLSTATE.duplicateObject: {
      const name = qualified(work.policy.schema, step.partition ?? '')
      return `something else is called ${name}. Look at it, then attach, rename or drop it`
    }
    case SQLSTATE.invalidObjectDefinition: {
      const other = partitionInTheWay(await partitionsNow(work), step.day)
      return `partition ${other?.name ?? '(unknown)'} overlaps it. Give it bounds at UTC midnight`
    }
    case SQLSTATE.checkViolation:
      return 'the default partition holds rows of that day. Move them out and detach it'
    case SQLSTATE.queryCanceled:
      if (!work.hasDefault || work.signal.aborted) return null
      return 'its default partition is too large to be looked through within the stall budget. Empty and detach it'
    default:
      return null
  }
}
