import { minuteOf } from '../calendar/period.ts'
import { alignedText } from './aligned-text.ts'
import type { EntryOptions } from './entry.ts'
import { escapedText } from './escaped-text.ts'
import { groupOf } from './group-of.ts'
import { type GroupStanding, listGroupStandings } from './group-standing.ts'
import { openCommandLog } from './open-command-log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { printJson, printMessage, printText } from './print.ts'
import { readConfiguration } from './read-configuration.ts'

/** Shows where each group is in each topic partition; the configured group alone, where there is one. */
export async function showProgress(options: EntryOptions): Promise<number> {
  const loaded = readConfiguration(options, [])
  const { configuration } = loaded
  const log = openCommandLog(configuration.log.level)
  await using database = await openMigratedDatabase(configuration.database, log)
  const { groups, complaint } = await listGroupStandings(database, configuration.kafka, log)
  const group = groupOf(loaded)
  const shown = groups.filter((row) => group === null || row.group === group)
  if (options.json) printJson({ progress: shown })
  else printText(shown.length === 0 ? 'none has consumed yet' : alignedText(rowsOf(shown)))
  if (complaint !== null) printMessage(complaint)
  return 0
}

const HEAD = 'group,topic,partition,next,committed,low,high,lag,floor,lost,last record,updated'.split(',')

function rowsOf(standings: readonly GroupStanding[]): string[][] {
  return [
    HEAD,
    ...standings.map(({ broker, ...row }) => [
      escapedText(row.group),
      escapedText(row.topic),
      String(row.partition),
      row.nextOffset,
      broker === null ? '?' : (broker.committedOffset ?? '-'),
      broker?.low ?? '?',
      broker?.high ?? '?',
      broker === null ? '?' : String(broker.lag),
      row.floor ?? '-',
      row.lostRecords,
      row.recordTimestampMs === null ? '-' : minuteOf(row.recordTimestampMs),
      minuteOf(row.updatedAtMs),
    ]),
  ]
}
