import type { Queryable } from '../../postgres/queryable.ts'

/** Where each group is in each topic partition. */
export async function listProgress(db: Queryable): Promise<ProgressRow[]> {
  const { rows } = await db.query<ProgressRow>(TEXT)
  return rows
}

export type ProgressRow = {
  readonly group: string
  readonly topic: string
  readonly partition: number
  /** Decimal text. */
  readonly nextOffset: string
  /** An offset below which nothing is read, set by `progress skip-to`; decimal text. */
  readonly floor: string | null
  /** When the last recorded record was written; null before the first. */
  readonly recordTimestampMs: number | null
  /** Decimal text. */
  readonly lostRecords: string
  readonly updatedAtMs: number
}

const TEXT = `
select consumer_group as "group",
       topic,
       partition,
       next_offset as "nextOffset",
       floor,
       (extract(epoch from record_timestamp) * 1000)::double precision as "recordTimestampMs",
       lost_records as "lostRecords",
       (extract(epoch from updated_at) * 1000)::double precision as "updatedAtMs"
  from daymark.consumer_progress
 order by consumer_group, topic, partition
`
