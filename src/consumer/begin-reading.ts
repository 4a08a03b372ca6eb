import type { StartingPoint } from '../kafka/consumer-group.ts'
import type { Marks } from '../kafka/kafka-admin.ts'
import { keyOf, type TopicPartition } from '../kafka/kafka-record.ts'
import { isBefore, type Offset } from '../kafka/offset.ts'
import type { ConsumerParts } from './consumer-parts.ts'
import { deleteProducerSequences } from './sql/delete-producer-sequences.ts'
import { findProgress, type ProgressRow } from './sql/find-progress.ts'
import { setProgress } from './sql/set-progress.ts'
import { type Start, startingPoint } from './starting-point.ts'

/** A topic partition with where it is read from, or with the records that were lost before it could be. */
export type Beginning = StartingPoint & {
  /** What the progress row says from now on. */
  readonly progress: Offset
  readonly high: Offset
  readonly lost: number
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
    const marks = await admin.fetchMarks(topic)
    if (marks === null) throw new Error(`reading the topic "${topic}": the broker has no such topic`)
    const committed = await admin.fetchCommittedOffsets(settings.group, topic)
    for (const { partition } of own) {
      const row = progress.get(keyOf({ topic, partition })) ?? null
      const range = marks.find((mark) => mark.partition === partition)
      const isGone = row === null && hadProgress
      const offset = committed.find((entry) => entry.partition === partition)?.offset ?? null
      if (range === undefined || !isPresent()) continue
      beginnings.push(await beginOne(parts, { topic, partition }, row, range, isGone ? range.low : offset))
    }
  }
  return beginnings
}

async function beginOne(
  { settings, database }: ConsumerParts,
  place: TopicPartition,
  row: ProgressRow | null,
  { low, high }: Marks,
  committed: Offset | null,
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
    await setProgress(database, { group, ...place, nextOffset: start.progress, lost: start.lost })
  } else if (row === null && committed !== null) {
    // So that there is something to accept the loss in.
    await setProgress(database, { group, ...place, nextOffset: committed, lost: 0 })
  }
  const progress = start.progress ?? row?.nextOffset ?? start.offset
  return { ...place, offset: start.offset, progress, high, lost: start.lost, held }
}
