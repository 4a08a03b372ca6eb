import type { StartingPoint } from '../kafka/consumer-group.ts'
import type { Marks } from '../kafka/kafka-admin.ts'
import { keyOf, type TopicPartition } from '../kafka/kafka-record.ts'
import { isBefore, type Offset } from '../kafka/offset.ts'
import type { ConsumerParts } from './consumer-parts.ts'
import { countLoss } from './sql/count-loss.ts'
import { deleteProducerSequences } from './sql/delete-producer-sequences.ts'
import { findProgress, type ProgressRow } from './sql/find-progress.ts'
import { noteTopic } from './sql/note-topic.ts'
import { setProgress } from './sql/set-progress.ts'
import { type Start, startingPoint } from './starting-point.ts'

/** A topic partition with where it is read from, or with the records that were lost before it could be. */
export type Beginning = StartingPoint & {
  /** What the progress row says from now on. */
  readonly progress: Offset
  readonly high: Offset
  readonly lost: number
  /** How many of these nobody has counted before. */
  readonly newlyLost: number
  /** The topic that the offsets count in; null where the broker does not say. */
  readonly topicId: string | null
  /** Lost records hold it until somebody accepts them. */
  readonly held: boolean
}

/**
 * Looks at the database and the broker, and brings the progress rows of these topic partitions in order. `hadProgress`:
 * this process has seen their rows before. Where one is gone, the database was taken back to before the group: nothing
 * of what the broker has committed is recorded there, so it is read from the earliest record.
 */
export async function beginReading(
  parts: ConsumerParts,
  places: readonly TopicPartition[],
  isPresent: () => boolean,
  hadProgress: boolean,
): Promise<Beginning[]> {
  const { settings, admin, database } = parts
  const progress = new Map((await findProgress(database, settings.group)).map((row) => [keyOf(row), row]))
  const beginnings: Beginning[] = []
  for (const [topic, own] of Map.groupBy(places, (place) => place.topic)) {
    // Before its marks: where it is made anew in between, the next look finds another id.
    const topicId = await admin.fetchTopicId(topic)
    const marks = await admin.fetchMarks(topic)
    if (marks === null) throw new Error(`reading the topic "${topic}": the broker has no such topic`)
    const committed = await admin.fetchCommittedOffsets(settings.group, topic)
    for (const { partition } of own) {
      const row = progress.get(keyOf({ topic, partition })) ?? null
      const range = marks.find((mark) => mark.partition === partition)
      const isGone = row === null && hadProgress
      const offset = committed.find((entry) => entry.partition === partition)?.offset ?? null
      if (range === undefined || !isPresent()) continue
      const standing = { row, topicId, range, committed: isGone ? range.low : offset }
      beginnings.push(await beginOne(parts, { topic, partition }, await ofThisTopic(parts, standing)))
    }
  }
  return beginnings
}

type Standing = {
  readonly row: ProgressRow | null
  readonly topicId: string | null
  readonly range: Marks
  readonly committed: Offset | null
}

/**
 * Offsets that count in a topic which was deleted, and made anew under its name, say nothing of the new one: of that,
 * nothing has been read. What was committed may be the place in the old one, said once more by whoever read on there.
 */
async function ofThisTopic(
  { settings, database, log }: ConsumerParts,
  standing: Standing,
): Promise<Standing> {
  const { row, topicId } = standing
  if (row === null || topicId === null || row.topicId === topicId) return standing
  const place = { group: settings.group, topic: row.topic, partition: row.partition, topicId }
  if (row.topicId === null) {
    await noteTopic(database, place)
    return standing
  }
  const { topic, partition, nextOffset: progress } = row
  log.error({ topic, partition, progress }, 'a topic was made anew: it is read from its first record')
  await deleteProducerSequences(database, place)
  await setProgress(database, { ...place, nextOffset: '0', lost: 0 })
  return { ...standing, row: { ...row, nextOffset: '0', floor: null, topicId }, committed: null }
}

async function beginOne(
  { settings, database }: ConsumerParts,
  place: TopicPartition,
  { row, topicId, range: { low, high }, committed }: Standing,
): Promise<Beginning> {
  const { startFrom, onLostRecords, group } = settings
  const start: Start = startingPoint({ progress: row, committed, low, high, startFrom })
  const held = start.lost > 0 && onLostRecords === 'wait'
  // Nothing is written that stands there already: the row may be held by a slow batch of the assignment before.
  if (start.progress !== null && start.progress !== row?.nextOffset && !held) {
    // What lies between is skipped, or counted as lost already.
    if (row !== null && isBefore(row.nextOffset, start.progress)) {
      await deleteProducerSequences(database, { group, ...place })
    }
    await setProgress(database, { group, ...place, nextOffset: start.progress, lost: start.lost, topicId })
  } else if (row === null && committed !== null) {
    // So that there is something to accept the loss in.
    await setProgress(database, { group, ...place, nextOffset: committed, lost: 0, topicId })
  }
  const newlyLost =
    start.lost === 0 ? 0 : await countLoss(database, { group, ...place, low, lost: start.lost })
  const progress = start.progress ?? row?.nextOffset ?? start.offset
  return { ...place, offset: start.offset, progress, high, lost: start.lost, newlyLost, topicId, held }
}
