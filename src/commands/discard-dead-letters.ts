import { discardDeadLetters } from '../consumer/sql/discard-dead-letters.ts'
import { confirm } from './confirm.ts'
import { readDeadLetterFilter } from './dead-letter-filter.ts'
import { deadLetterPages } from './dead-letter-pages.ts'
import type { EntryOptions } from './entry.ts'
import { requireGroup } from './group-of.ts'
import { openCommandLog } from './open-command-log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { printJson, printMessage, printText } from './print.ts'
import { readConfiguration } from './read-configuration.ts'
import { requireChoice } from './require-choice.ts'

const AT_ONCE = 1_000

/** Settles dead letters without an effect. They stay in the table, and their markers with them. */
export async function discard(options: EntryOptions): Promise<number> {
  const loaded = readConfiguration(options, [])
  requireChoice(options)
  const filter = {
    ...readDeadLetterFilter(options.args, options.given, Date.now()),
    group: requireGroup(loaded),
    settled: false,
  }
  const { configuration } = loaded
  await using database = await openMigratedDatabase(
    configuration.database,
    openCommandLog(configuration.log.level),
  )
  const ids: string[] = []
  for await (const page of deadLetterPages(database, filter)) ids.push(...page.map(({ id }) => id))
  const what = `discarding ${ids.length} dead letters of the group "${filter.group}"; they will never take effect`
  if (ids.length > 0 && !(await confirm(what, options.yes))) {
    printMessage('nothing was discarded')
    return 1
  }
  const discarded: string[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    discarded.push(...(await discardDeadLetters(database, ids.slice(from, from + AT_ONCE))))
  }
  if (options.json) printJson({ discarded })
  else printText(`discarded ${discarded.length}`)
  const unknown = filter.ids?.filter((id) => !ids.includes(id)) ?? []
  if (unknown.length > 0) printMessage(`not among those of this group that wait: ${unknown.join(', ')}`)
  return unknown.length === 0 ? 0 : 1
}
