import type { Queryable } from '../../postgres/queryable.ts'

/**
 * Writes how far a topic partition has been recorded, in the batch's transaction. `greatest`, so that a zombie or a
 * second reader never pushes it back; only an explicit reset lowers it.
 */
export async function writeProgress(
  tx: Queryable,
  progress: {
    readonly group: string
    readonly topic: string
    readonly partition: number
    readonly nextOffset: string
    readonly recordTimestampMs: number
  },
): Promise<void> {
  await tx.query(
    `update daymark.consumer_progress
        set next_offset = greatest(next_offset, $4::bigint),
            record_timestamp = case
              when next_offset < $4::bigint and abs($5::double precision) < 2e14
              then timestamptz 'epoch' + $5::double precision * interval '1 millisecond'
              else record_timestamp
            end,
            updated_at = now()
      where consumer_group = $1::text and topic = $2::text and partition = $3::integer`,
    [progress.group, progress.topic, progress.partition, progress.nextOffset, progress.recordTimestampMs],
  )
}
