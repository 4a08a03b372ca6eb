import type { DeadLetterFilter, DeadLetterLine } from '../consumer/dead-letter.ts'
import { HandlerLeftTransactionError } from '../consumer/handler-left-transaction-error.ts'
import { loadHandler } from '../consumer/load-handler.ts'
import { pinIdentity } from '../consumer/pin-identity.ts'
import type { ReplayWishes } from '../consumer/plan-replay.ts'
import { prepareHandler } from '../consumer/prepare-handler.ts'
import type { Replayed } from '../consumer/replay-dead-letter.ts'
import { type ReplayParts, replayUntilDone } from '../consumer/replay-until-done.ts'
import type { Database } from '../postgres/database.ts'
import { complaintOf } from '../postgres/sqlstate.ts'
import { listenForShutdown } from '../process/shutdown.ts'
import { readDeadLetterFilter } from './dead-letter-filter.ts'
import { deadLetterPages } from './dead-letter-pages.ts'
import { dryReplay } from './dry-replay.ts'
import type { EntryOptions } from './entry.ts'
import { openCommandLog } from './open-command-log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { printMessage } from './print.ts'
import { readConfiguration } from './read-configuration.ts'
import { RefusedError } from './refused-error.ts'
import { ReplayReport } from './replay-report.ts'
import { requireChoice } from './require-choice.ts'
import { UsageError } from './usage-error.ts'

/**
 * Replays dead letters, each in its own transaction, topic partition by topic partition in the order of the log. One
 * that stays holds back none of the others; the exit code is 1 then.
 */
export async function replay(options: EntryOptions): Promise<number> {
  const { configuration } = readConfiguration(options, ['consumer'])
  const { consumer: settings, handlerPath, log: logSettings } = configuration
  if (settings === null || handlerPath === null) {
    throw new RefusedError('replaying dead letters: it needs a group, topics and a handler')
  }
  requireChoice(options)
  const wishes = wishesOf(options)
  const filter: DeadLetterFilter = {
    ...readDeadLetterFilter(options.args, options.given, Date.now()),
    group: settings.group,
    settled: options.args.length > 0,
  }
  const log = openCommandLog(logSettings.level)
  await using database = await openMigratedDatabase(configuration.database, log)
  // A change of identity is for a consumer to take on, not for what it set aside before.
  await pinIdentity(database, { ...settings, acceptIdentityChange: [] }, log)
  const report = new ReplayReport(options.json)
  if (options.dryRun) {
    await eachLetter(database, filter, report, (letter) => dryReplay(database, letter, settings, wishes))
    return report.end()
  }
  const handler = await prepareHandler(database, await loadHandler(handlerPath))
  using shutdown = listenForShutdown(log)
  const parts = { settings, handler, database, giveUp: new AbortController().signal, chance: Math.random }
  const take = (letter: DeadLetterLine): Promise<Replayed> => replayOne(parts, letter, wishes)
  try {
    await eachLetter(database, filter, report, take, shutdown.signal)
  } catch (error) {
    report.end()
    throw error
  }
  return report.end()
}

/** What every other dead letter would meet too ends the replay, in a sentence. */
async function replayOne(
  parts: ReplayParts,
  { id }: DeadLetterLine,
  wishes: ReplayWishes,
): Promise<Replayed> {
  try {
    return await replayUntilDone(parts, id, wishes)
  } catch (error) {
    const complaint = complaintOf(error)
    if (complaint === null && !(error instanceof HandlerLeftTransactionError)) throw error
    const code = complaint?.sqlstate ?? complaint?.systemCode
    const found = `${(error as Error).message}${code == null ? '' : ` (${code})`}`
    throw new RefusedError(
      `replaying the dead letter ${id}: ${found}. The others would meet the same, and wait on: mend it, then replay again.`,
      { cause: error },
    )
  }
}

async function eachLetter(
  database: Database,
  filter: DeadLetterFilter,
  report: ReplayReport,
  take: (letter: DeadLetterLine) => Promise<Parameters<ReplayReport['add']>[1]>,
  signal?: AbortSignal,
): Promise<void> {
  const missing = new Set(filter.ids ?? [])
  for await (const page of deadLetterPages(database, filter)) {
    for (const letter of page) {
      if (signal?.aborted) {
        printMessage('stopped; the rest waits on')
        return
      }
      missing.delete(letter.id)
      report.add(letter, await take(letter))
    }
  }
  for (const id of missing) report.addMissing(id)
}

function wishesOf({ args, given, mayHaveBeenApplied }: EntryOptions): ReplayWishes {
  if (given.eventId !== undefined && args.length !== 1) {
    throw new UsageError(
      'expected the id of one dead letter beside --event-id: an event has an id of its own',
    )
  }
  return { eventId: given.eventId ?? null, mayHaveBeenApplied }
}
