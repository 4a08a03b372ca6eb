import fc from 'fast-check'
import { addDays, dayOf } from '../../../src/calendar/period.ts'
import { commands } from './commands.ts'
import { Oracle } from './oracle.ts'
import { createWorld } from './world.ts'

const PARTITIONS = 2

/**
 * Runs random sequences of what can happen to a group, and compares after each what it has applied and set aside with
 * what the oracle says. The database's clock begins a month ago, because no day is removed by a clock that
 * runs ahead of ours.
 */
export async function checkModel(runs: number, seed: number): Promise<void> {
  const today = dayOf(Date.now())
  if (today === null) throw new Error('expected now to have a day')
  const start = addDays(today, -30)
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      await using world = await createWorld(PARTITIONS, start)
      await fc.asyncModelRun(() => ({ model: new Oracle(PARTITIONS, start), real: world }), sequence)
    }),
    { numRuns: runs, seed, endOnFailure: true },
  )
}
