import type { ConsumerSettings } from '../consumer/consumer-settings.ts'
import type { DeadLetterLine } from '../consumer/dead-letter.ts'
import { planReplay, type ReplayWishes } from '../consumer/plan-replay.ts'
import { findDeadLetter } from '../consumer/sql/find-dead-letter.ts'
import { findWindow } from '../consumer/sql/find-window.ts'
import { windowOf } from '../consumer/window.ts'
import type { Queryable } from '../postgres/queryable.ts'
import type { ReportedReplay } from './replay-report.ts'

/** What a replay would do: the very plan that it carries out. Runs no handler, and writes nothing. */
export async function dryReplay(
  db: Queryable,
  { id }: DeadLetterLine,
  settings: ConsumerSettings,
  wishes: ReplayWishes,
): Promise<ReportedReplay> {
  const letter = await findDeadLetter(db, id)
  if (letter === null) return { outcome: 'missing' }
  if (letter.replayOutcome !== null) return { outcome: 'settled' }
  const { fence, today } = await findWindow(db)
  const plan = planReplay(letter, windowOf(fence, today, settings.runwayDays), settings, wishes)
  if (plan.kind === 'keep') return { outcome: 'kept', error: plan.error }
  if (plan.kind === 'ask') return { outcome: 'asked', error: plan.error }
  return { outcome: plan.kind === 'mark' ? 'would-be-replayed' : 'would-be-applied-unmarked' }
}
