import { findProgress, type ProgressRow } from '../consumer/sql/find-progress.ts'
import { type KafkaAdmin, type Marks, openKafkaAdmin } from '../kafka/kafka-admin.ts'
import type { KafkaSettings } from '../kafka/kafka-settings.ts'
import type { Database } from '../postgres/database.ts'
import type { Log } from '../process/log.ts'
import { brokerRefusal } from './broker-refusal.ts'
import type { EntryOptions } from './entry.ts'
import { escapedText } from './escaped-text.ts'
import { requireGroup } from './group-of.ts'
import { openCommandLog } from './open-command-log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { readConfiguration } from './read-configuration.ts'
import { readPartition, readTopic } from './read-place.ts'
import { RefusedError } from './refused-error.ts'

/** A topic partition that a command is about, as the database and the broker know it. */
export type OpenedProgress = AsyncDisposable & {
  readonly database: Database
  readonly place: { readonly group: string; readonly topic: string; readonly partition: number }
  /** For people: `payments[3] of the group "ledger-writer"`. */
  readonly name: string
  readonly row: ProgressRow
  readonly marks: Marks
}

/** Opens what a command needs that changes the progress of one topic partition; refuses one that is not there. */
export async function openProgress(options: EntryOptions): Promise<OpenedProgress> {
  const loaded = readConfiguration(options, ['kafka'])
  const { configuration } = loaded
  const topic = readTopic(options.args[0])
  const place = { group: requireGroup(loaded), topic, partition: readPartition(options.args[1]) }
  const name = `${topic}[${place.partition}] of the group "${escapedText(place.group)}"`
  const log = openCommandLog(configuration.log.level)
  const database = await openMigratedDatabase(configuration.database, log)
  try {
    const row = (await findProgress(database, place.group)).find(
      (progress) => progress.topic === topic && progress.partition === place.partition,
    )
    if (row === undefined) throw new RefusedError(`looking for the progress of ${name}: there is none`)
    const marks = await marksOf(configuration.kafka, topic, place.partition, log)
    return { database, place, name, row, marks, [Symbol.asyncDispose]: () => database.end() }
  } catch (error) {
    await database.end()
    throw error
  }
}

async function marksOf(
  kafka: KafkaSettings | null,
  topic: string,
  partition: number,
  log: Log,
): Promise<Marks> {
  await using admin = await openAdmin(kafka, log)
  const marks = await admin.fetchMarks(topic)
  const own = marks?.find((mark) => mark.partition === partition)
  if (own !== undefined) return own
  throw new RefusedError(
    `asking the broker for ${topic}[${partition}]: it has none. Where it is gone for good, see \`daymark progress forget\`.`,
  )
}

/** Connects to the broker, or says in a sentence why not. */
export async function openAdmin(kafka: KafkaSettings | null, log: Log): Promise<KafkaAdmin> {
  if (kafka === null) throw new RefusedError('asking the broker: no broker is configured')
  try {
    return await openKafkaAdmin(kafka, log)
  } catch (error) {
    throw brokerRefusal(kafka, error)
  }
}
