import type { Queryable } from '../../postgres/queryable.ts'

export type ProgressRow = {
  readonly topic: string
  readonly partition: number
  readonly nextOffset: string
  readonly floor: string | null
  readonly lostRecords: string
  readonly recordTimestampMs: number | null
  readonly updatedAtMs: number
  /** The topic that its offsets count in; null where that is not known. */
  readonly topicId: string | null
}

/** Reads the progress of a group, in the order of its topic partitions. */
export async function findProgress(db: Queryable, group: string): Promise<ProgressRow[]> {
  const { rows } = await db.query<ProgressRow>(
    `select topic, partition, next_offset as "nextOffset", floor, lost_records as "lostRecords",
            (extract(epoch from record_timestamp) * 1000)::double precision as "recordTimestampMs",
            (extract(epoch from updated_at) * 1000)::double precision as "updatedAtMs",
            topic_id as "topicId"
       from daymark.consumer_progress
      where consumer_group = $1::text
      order by topic, partition`,
    [group],
  )
  return rows
}
