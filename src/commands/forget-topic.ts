import type { Database } from '../postgres/database.ts'
import { begin, commit } from '../postgres/transaction.ts'
import { confirm } from './confirm.ts'
import type { EntryOptions } from './entry.ts'
import { openCommandLog } from './open-command-log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { openAdmin } from './open-progress.ts'
import { printJson, printMessage, printText } from './print.ts'
import { readConfiguration } from './read-configuration.ts'
import { readTopic } from './read-place.ts'
import { RefusedError } from './refused-error.ts'
import { deleteDayMarks } from './sql/delete-day-marks.ts'
import { deleteProgress } from './sql/delete-progress.ts'
import { deleteTopicRetention } from './sql/delete-topic-retention.ts'
import { deleteTopicSequences } from './sql/delete-topic-sequences.ts'
import { UsageError } from './usage-error.ts'

type Forgotten = { readonly progress: number; readonly retentions: number; readonly dayMarks: number }

/** Forgets a topic that has vanished from the broker: until then its last known retention holds days back. */
export async function forgetTopic(options: EntryOptions): Promise<number> {
  const { configuration } = readConfiguration(options, ['kafka'])
  const topic = readTopic(options.args[0])
  const name = `"${topic}"`
  const log = openCommandLog(configuration.log.level)
  await using database = await openMigratedDatabase(configuration.database, log)
  await using admin = await openAdmin(configuration.kafka, log)
  if ((await admin.fetchMarks(topic)) !== null) {
    throw new RefusedError(
      `forgetting the topic ${name}: the broker has it, and can deliver its records again`,
    )
  }
  const what = `forgetting where every group was in the topic ${name}, and how long it kept its records`
  if (!(await confirm(what, options.yes))) {
    printMessage('nothing was forgotten')
    return 1
  }
  const forgotten = await forget(database, topic)
  const { progress, retentions, dayMarks } = forgotten
  if (progress + retentions + dayMarks === 0) {
    throw new UsageError(`forgetting the topic ${name}: nothing is known of it`)
  }
  if (options.json) printJson({ topic, ...forgotten })
  else printText(`forgot ${name}: the progress of ${progress} topic partitions, and its retention`)
  if (configuration.policies.some(({ topics }) => topics.includes(topic))) {
    printMessage(`the configuration still names ${name}: take it out of consumer.topics`)
  }
  return 0
}

/** All of it or nothing. */
async function forget(database: Database, topic: string): Promise<Forgotten> {
  return database.withSession(async (session) => {
    await begin(session)
    const progress = await deleteProgress(session, topic)
    const retentions = await deleteTopicRetention(session, topic)
    const dayMarks = await deleteDayMarks(session, topic)
    await deleteTopicSequences(session, topic)
    await commit(session)
    return { progress, retentions, dayMarks }
  })
}
